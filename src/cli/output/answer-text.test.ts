import { expect, it } from 'vitest'
import { answerText } from './answer-text.ts'

it('keeps lines and tabs, and escapes control characters on a terminal', () => {
  expect(answerText('a\tb\r\nc \u001b[2J\u0007\rd \u202e', true)).toBe('a\tb\nc \\u001b[2J\\u0007\\u000dd \\u202e')
})

it('prints an answer unchanged to a file or a program', () => {
  expect(answerText('a\r\n\u001b[2J', false)).toBe('a\r\n\u001b[2J')
})
