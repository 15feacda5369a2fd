import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stripToolMarkup } from '../../../../governor/index.ts'
import { createClosingText } from './closing-text.ts'

const CALL = '{"name": "read", "arguments": {"path": "a}b"}}'

const MARKUP = [
  `<tool_call>\n${CALL}\n</tool_call>`,
  '<x:invoke name="read">\n<x:parameter name="path">a</x:parameter>\n</x:invoke>',
  '<｜tool▁calls▁begin｜>read{"path": "a"}<｜tool▁calls▁end｜>',
  `[TOOL_CALLS] [${CALL}]`,
  `[TOOL_REQUEST]\n${CALL}\n[END_TOOL_REQUEST]`,
  `\`\`\`json\n${CALL}\n\`\`\``,
  '~~~tool_code\nread("a")\n~~~',
  '<tool_call>{"name": "re',
]

const ORDINARY = [
  'Done: 3 of 5 files, a < b && c > d, [x] tests.',
  'Use <b>Map<string, T></b> and <function> of <parameter> here.',
  'It ends with `</tool_call>` and begins with ``<tool_call>{``.',
  '```xml\n<tool_call>{"name": "x", "arguments": {}}</tool_call>\n```',
  '```ts\nconst call = { name: "x" }\n```',
  'The model stops at <|endoftext|>. A lone ` tick and ~ and ~~~ too.',
  '1. one\n2. two\n   - three',
]

function streamed(text: string, cuts: readonly number[]): readonly string[] {
  const closing = createClosingText()
  const places = [...cuts.map((cut) => cut % (text.length + 1)), text.length].toSorted((left, right) => left - right)
  let from = 0
  const sent: string[] = []
  for (const place of places) {
    sent.push(closing.push(text.slice(from, place)))
    from = place
  }
  return [...sent, closing.end()]
}

describe('closing text', () => {
  it.each(MARKUP)('E6: nothing of %j is ever sent, character by character', (markup) => {
    const sent = streamed(
      `What I have.\n\n${markup}\n\nMissing.`,
      Array.from({ length: 200 }, (_, index) => index),
    )
    expect(sent.join('')).toBe(stripToolMarkup(`What I have.\n\n${markup}\n\nMissing.`))
  })

  it.each(ORDINARY)('sends %j unchanged', (text) => {
    expect(
      streamed(
        text,
        Array.from({ length: 200 }, (_, index) => index),
      ).join(''),
    ).toBe(text)
  })

  it('sends prose immediately, and holds back only what may begin markup', () => {
    const closing = createClosingText()
    expect(closing.push('Three of five are done.')).toBe('Three of five are done.')
    expect(closing.push(' The rest is a <')).toBe(' The rest is a')
    expect(closing.push(' b.')).toBe(' < b.')
    expect(closing.push(' <tool')).toBe('')
    expect(closing.push('box> is no call')).toBe(' <toolbox> is no call')
    expect(closing.push('\n<tool_call>{')).toBe('')
    expect(closing.push('"name": "x"}</tool_call> end')).toBe('')
    expect(closing.end()).toBe('\n\nend')
  })

  it('sends the same text in total as the whole text without markup, wherever it is split', () => {
    const pieces = fc.array(fc.constantFrom(...MARKUP.slice(0, -1), ...ORDINARY), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(pieces, fc.array(fc.nat(), { maxLength: 30 }), (parts, cuts) => {
        const text = parts.join('\n\n')
        expect(streamed(text, cuts).join('').trim()).toBe(stripToolMarkup(text).trim())
      }),
      { numRuns: 2_000 },
    )
  })
})
