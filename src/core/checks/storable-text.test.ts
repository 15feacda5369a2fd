import { describe, expect, it } from 'vitest'
import { assertStorableText, isStorableText, storableText, storableTextOrNull } from './storable-text.ts'

const BROKEN = ['cut \ud83d', '\ude00 cut', '\ude00\ud83d', 'a\0b', '\0']
const WHOLE = ['', 'run', '\ud83d\ude00', '\ufeffrun', '\uffff', '\n\t\u0001', 'é', 'e\u0301', '\u{10ffff}']

describe('text that a ledger keeps', () => {
  it.each(BROKEN)('excludes half a character and NUL: %j', (text) => {
    expect(isStorableText(text)).toBe(false)
  })

  it.each(WHOLE)('includes any other text: %j', (text) => {
    expect([isStorableText(text), storableText(text)]).toEqual([true, text])
  })

  it('names the place of an id, the problem and the fix', () => {
    expect(() => assertStorableText('cut \ud83d', 'open({ id })')).toThrow(
      /^open\(\{ id \}\) is "cut \\ud83d", but must be text without a NUL and without half of a character.*toWellFormed/,
    )
    expect(() => assertStorableText('x'.repeat(1_001), 'open({ id })')).toThrow(/text of 1 to 1000 characters/)
    expect(() => assertStorableText('', 'open({ id })')).toThrow(/text of 1 to 1000 characters/)
  })

  it('is what any free text is turned into, cut to a bound', () => {
    expect(storableText('cut \ud83d, a\0b')).toBe('cut \ufffd, a\ufffdb')
    expect(storableText('x'.repeat(20_000))).toHaveLength(10_000)
    expect(isStorableText(storableText('\ud83d\ude00'.repeat(10_000)))).toBe(true)
    expect(storableText(7 as unknown as string)).toBe('7')
    expect([storableTextOrNull(null), storableTextOrNull(undefined), storableTextOrNull('a')]).toEqual([
      null,
      null,
      'a',
    ])
  })
})
