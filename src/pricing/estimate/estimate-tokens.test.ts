import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runThrough } from '../../core/interruptible-work.ts'
import { InvalidCallError } from '../call/invalid-call-error.ts'
import { estimateInput } from './estimate-input.ts'
import { estimateTokens, estimateTokensInSteps } from './estimate-tokens.ts'
import { utf8Length } from './utf8-length.ts'

const BASE64 = 'TG9yZW0gaXBzdW0gZG9sb3Igc2l0IGFtZXQsIGNvbnNlY3RldHVyIGFkaXBpc2NpbmcgZWxpdC4gUXVpc3F1ZQ'

// Each text 1,000 times, with its tokens in the o200k tokenizer, counted once with gpt-tokenizer.
const MEASURED: readonly (readonly [name: string, text: string, tokens: number])[] = [
  ['prose', 'The budget is checked before every call, and what is left is shown to the agent. ', 18_001],
  ['code', 'export function add(left: number, right: number) { return left + right }\n', 17_000],
  ['minified JSON', '{"id":17,"name":"worker-3","ok":true,"at":"2026-11-15T12:00:00.000Z"},', 32_001],
  ['digits', '3141592653589793238462643383279502884197', 13_334],
  ['spaced digits', ' 3 1 4 1 5 9', 12_000],
  ['base64', BASE64, 57_000],
  ['hexadecimal', 'd41d8cd98f00b204e9800998ecf8427e', 18_001],
  ['one letter', 'q', 500],
  ['symbols', '!@#$%^&*()', 7_000],
  ['Chinese', '预算在每次调用之前检查，剩余部分会显示给代理。', 16_000],
  ['Japanese', '予算は呼び出しの前に確認され、残りはエージェントに表示されます。', 25_000],
  ['Korean', '예산은 호출 전에 확인되며 남은 금액이 표시됩니다. ', 16_001],
  ['Russian', 'Бюджет проверяется перед каждым вызовом. ', 11_001],
  ['Hindi', 'हर कॉल से पहले बजट की जाँच होती है। ', 12_001],
  ['emoji', '😀🚀👩‍👩‍👧‍👦🏳️‍🌈🇩🇪', 24_000],
  ['newlines', '\n', 63],
]

describe('the tight estimate', () => {
  it.each(MEASURED)('is not below a real tokenizer on %s, and not above the number of bytes', (_, text, tokens) => {
    const long = text.repeat(1_000)
    for (const model of [undefined, 'claude-opus-5-5', 'gpt-6-sol']) {
      expect(estimateTokens(long, 'tight', model)).toBeGreaterThanOrEqual(tokens)
      expect(estimateTokens(long, 'tight', model)).toBeLessThanOrEqual(Buffer.byteLength(long))
    }
  })

  it('is at most 2.5 times as high on prose and code', () => {
    for (const [, text, tokens] of MEASURED.slice(0, 3)) {
      expect(estimateTokens(text.repeat(1_000), 'tight')).toBeLessThanOrEqual(tokens * 2.5)
    }
  })

  it('leaves more room for the tokenizer of newer Claude models', () => {
    const text = MEASURED[0]![1].repeat(100)
    expect(estimateTokens(text, 'tight', 'claude-opus-5-5')).toBeGreaterThan(
      estimateTokens(text, 'tight', 'gpt-6-sol') * 1.2,
    )
    expect(estimateTokens(text)).toBe(estimateTokens(text, 'tight', 'claude-opus-5-5'))
  })

  it('never falls when text is added, even past the length up to which words are counted', () => {
    const word = 'lorem ipsum 17 '
    const estimates = [1, 1_000, 13_000, 14_000, 30_000].map((times) => estimateTokens(word.repeat(times)))
    expect(estimates).toEqual([...estimates].sort((left, right) => left - right))
  })

  it('is 0 for an empty text', () => {
    expect(estimateTokens('')).toBe(0)
    expect(estimateTokens('', 'strict')).toBe(0)
  })
})

// How OpenAI's o200k tokenizer splits a text first. No token spans a split, so there are at least as many tokens as
// pieces.
const CASED = "(?:'s|'t|'re|'ve|'m|'ll|'d)?"
const UPPER = '[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]'
const LOWER = '[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]'
const PIECE = new RegExp(
  [
    `[^\\r\\n\\p{L}\\p{N}]?${UPPER}*${LOWER}+${CASED}`,
    `[^\\r\\n\\p{L}\\p{N}]?${UPPER}+${LOWER}*${CASED}`,
    '\\p{N}{1,3}',
    ' ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*',
    '\\s*[\\r\\n]+',
    '\\s+(?!\\S)',
    '\\s+',
  ].join('|'),
  'gu',
)
const piecesOf = (text: string) => text.match(PIECE)?.length ?? 0

describe('the pieces that a tokenizer cuts a text into', () => {
  it.each(['a\n', 'y\nn\n', '\t1', 'zQ\n', 'a1', 'a b\n', 'ab\ncd\n', '1.', '1. ', 'a\t', 'x y ', '1 a ', 'I '])(
    'never exceed the tight estimate of many %j, short or long',
    (text) => {
      for (const length of [60, 3_000, 300_000]) {
        const long = text.repeat(length / text.length)
        expect(estimateTokens(long, 'tight', 'gpt-4.1')).toBeGreaterThanOrEqual(piecesOf(long))
      }
    },
  )

  it('never exceed the tight estimate of any text', () => {
    const units = [
      'a',
      'z',
      'Q',
      'the',
      '1',
      '42',
      ' ',
      '  ',
      '\n',
      '\r\n',
      '\t',
      '.',
      ', ',
      '(',
      '"',
      '/',
      'é',
      'я',
      '预',
      '-',
    ]
    const some = fc.array(fc.constantFrom(...units), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 200 }), (parts, times) => {
        const text = parts.join('').repeat(times)
        expect(estimateTokens(text, 'tight', 'gpt-4.1')).toBeGreaterThanOrEqual(piecesOf(text))
      }),
      { numRuns: 3_000 },
    )
  })
})

describe('the strict estimate', () => {
  it.each([
    'plain',
    'Größe',
    '预算',
    '😀',
    '👩‍👩‍👧',
    'a\ud800b',
    '\ud800',
    '\udc00\ud800',
    '\ud83d\ud83d\ude00',
    '\u0000',
  ])('is the number of UTF-8 bytes of %j', (text) => {
    expect(estimateTokens(text, 'strict')).toBe(new TextEncoder().encode(text).length)
  })
})

describe('an estimate of tokens', () => {
  it.each([undefined, null, 7, {}, ['a']])('refuses %j, which is not a text', (text) => {
    expect(() => estimateTokens(text as never)).toThrow(InvalidCallError)
    expect(() => estimateTokens(text as never, 'strict')).toThrow('it must be a string')
    expect(() => estimateInput({ addedText: text as never })).toThrow(InvalidCallError)
  })

  it.each(['Strict', 'STRICT', 'stric'])('refuses the mode %s instead of assuming the weaker one', (mode) => {
    expect(() => estimateTokens('a text', mode as never)).toThrow('Did you mean "strict"?')
    expect(() => estimateInput({ addedText: '' }, mode as never)).toThrow(InvalidCallError)
  })
})

describe('the estimate of a prompt', () => {
  it('is exact up to the last answer, and estimated for what was added', () => {
    const addedText = 'and now the tests'
    const added = estimateTokens(addedText, 'tight')
    expect(estimateInput({ lastExactTokens: 50_000, addedText, addedParts: 0 })).toBe(50_000 + added)
    expect(estimateInput({ addedText, addedParts: 2 }, 'strict')).toBe(addedText.length + 16)
  })

  it('counts images and pages at the provider’s maximum', () => {
    const media = (model?: string) =>
      estimateInput({
        addedText: '',
        addedParts: 0,
        images: 2,
        documentPages: 1,
        ...(model === undefined ? {} : { model }),
      })
    expect(media('claude-opus-5-5')).toBe(2 * 4_784 + 7_784)
    expect(media('gemini-3.8-flash')).toBe(3 * 2_240)
    expect(media()).toBe(media('gpt-6-sol'))
  })

  it('is the whole context window if something has an unknown size', () => {
    const unknown = { addedText: 'watch this', hasUnknownSize: true }
    expect(estimateInput({ ...unknown, model: 'claude-opus-4-7' })).toBe(1_000_000)
    expect(estimateInput({ ...unknown, model: 'nobody-knows-this' })).toBe(2_000_000)
    expect(estimateInput(unknown)).toBe(2_000_000)
    expect(estimateInput({ ...unknown, model: 'gpt-4o', lastExactTokens: 200_000 })).toBeGreaterThan(200_000)
  })

  it('refuses invalid counts', () => {
    expect(() => estimateInput({ addedText: '', images: -1 })).toThrow('images is -1')
    expect(() => estimateInput({ addedText: '', lastExactTokens: Number.NaN })).toThrow('lastExactTokens is NaN')
  })
})

describe('a text that is estimated in steps', () => {
  it.each([['plain words '], ['a'], [' '], ['\n'], ['[budget'], ['漢字'], ['😀'], ['a1\n']])(
    'yields at least once for every 131,072 characters of %j',
    (piece) => {
      const text = piece.repeat(1_000_000 / piece.length)
      expect([...estimateTokensInSteps(text)].length).toBeGreaterThanOrEqual(8)
    },
  )

  it('has the right number of UTF-8 bytes, wherever it is cut', () => {
    const text = fc.array(fc.constantFrom('a', 'é', '漢', '😀', '\ud83d', '\ude00'), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(text, fc.integer({ min: 131_060, max: 131_080 }), (chosen, length) => {
        const long = 'x'.repeat(length) + chosen.join('').repeat(20)
        expect(runThrough(utf8Length(long))).toBe(Buffer.byteLength(long))
      }),
    )
  })
})
