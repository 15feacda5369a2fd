import { describe, expect, it } from 'vitest'
import { printable } from './printable.ts'

describe('printable', () => {
  it('escapes what a terminal would act on, and keeps one line', () => {
    expect(printable('a\n\u001b[31mb\u009b0m\u007f\u0000')).toBe('a\\u000a\\u001b[31mb\\u009b0m\\u007f\\u0000')
    expect(printable('\u2028\u2029\u202etxt\u2066')).toBe('\\u2028\\u2029\\u202etxt\\u2066')
  })

  it('leaves other text unchanged, including its own result', () => {
    for (const text of ['', 'limits.cost in stint.yaml:12', 'größe/日本/👩‍💻.md', 'a\\b', printable('\n')]) {
      expect(printable(text)).toBe(text)
    }
  })
})
