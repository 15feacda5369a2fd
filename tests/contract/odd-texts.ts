import type { Dice } from '../../src/testing/store-contract/histories/dice.ts'

// What databases, drivers and JSON have been seen to change, cut or take for something else.
const PIECES = [
  '\ud83d',
  '\ude00',
  '\ude00\ud83d',
  '\ud83d\ude00',
  '\0',
  '\ufeff',
  '\uffff',
  '\ufffe',
  '\ufffd',
  '\u{10ffff}',
  '\u0001',
  '\u0007',
  '\u001b[31m',
  '\u007f',
  '\u0085',
  '\u2028',
  '\u202e',
  '\u200d',
  '\n',
  '\r\n',
  '\t',
  ' ',
  '\u00a0',
  'é',
  'e\u0301',
  '\ud55c',
  '\u1112\u1161\u11ab',
  'ﬁ',
  'ß',
  'SS',
  'a',
  'A',
  'team',
  '5',
  '05',
  '5.0',
  '1e3',
  'null',
  '"',
  "'",
  '\\',
  '\\u0000',
  '%00',
  '%',
  '_',
  '/',
  '; DROP TABLE scopes; --',
  '?',
  '{"kind":"checkpoint"',
] as const

const LENGTHS = [199, 200, 201, 999, 1_000, 1_001, 9_999, 10_001, 70_000] as const

/** So many texts, the same for the same dice: empty, whole, broken and very long ones. */
export function oddTexts(dice: Dice, count: number): readonly string[] {
  const pieces = (): string => Array.from({ length: dice.between(0, 5) }, () => dice.oneOf(PIECES)).join('')
  return Array.from({ length: count }, (_, number) => {
    if (number < PIECES.length) return PIECES[number]!
    return dice.oneIn(20) ? pieces().padEnd(dice.oneOf(LENGTHS), 'x') : pieces()
  })
}
