import { expect, it } from 'vitest'
import { plainLines, plainText } from './plain-text.ts'

it('shows characters that would reverse or hide text', () => {
  expect(plainText('pay\u202eymrof\u200b')).toBe('pay\ufffdymrof\ufffd')
  expect(plainText('two\nlines\u0007')).toBe('two lines\ufffd')
})

it('keeps the lines of a longer text', () => {
  expect(plainLines('two\n\tlines\u001b[31m')).toBe('two\n\tlines\ufffd[31m')
})
