import { expect, it } from 'vitest'
import { messageParts } from './message-parts.ts'

it('reads text, calls and results of a message', () => {
  expect(
    messageParts([
      { type: 'text', text: 'I will look.' },
      { type: 'tool-call', toolName: 'read', input: { path: 'a.ts' } },
      { type: 'tool-result', toolName: 'read', output: { type: 'text', value: 'contents' } },
    ]),
  ).toEqual([
    { kind: 'text', name: '', text: 'I will look.' },
    { kind: 'call', name: 'read', text: '{\n  "path": "a.ts"\n}' },
    { kind: 'result', name: 'read', text: 'contents' },
  ])
  expect(messageParts('Hello')).toEqual([{ kind: 'text', name: '', text: 'Hello' }])
})

it('shows unknown parts as they are', () => {
  expect(messageParts([{ type: 'file', data: 1 }, null])).toEqual([
    { kind: 'text', name: '', text: '{\n  "type": "file",\n  "data": 1\n}' },
    { kind: 'text', name: '', text: 'null' },
  ])
  expect(messageParts(undefined)).toEqual([{ kind: 'text', name: '', text: '' }])
})
