import { expect, it } from 'vitest'
import { createConversation } from './conversation.ts'

interface Body {
  readonly messages: readonly {
    readonly role: string
    readonly tool_call_id?: string
    readonly tool_calls?: readonly { readonly id: string }[]
  }[]
}

it('grows by one tool call and its result each turn, and repeats everything before them', () => {
  const conversation = createConversation(1)
  const bodies = Array.from({ length: 60 }, (_, index): Body => JSON.parse(conversation.bodyOf(index + 1)))
  expect(bodies[0]!.messages.map(({ role }) => role)).toEqual(['system', 'user'])
  bodies.slice(1).forEach(({ messages }, index) => {
    expect(messages.slice(0, -2)).toEqual(bodies[index]!.messages)
    const [call, result] = messages.slice(-2)
    expect([call!.role, result!.role]).toEqual(['assistant', 'tool'])
    expect(result!.tool_call_id).toBe(call!.tool_calls![0]!.id)
  })
})

it('says the same of a turn, whichever turns were asked for before', () => {
  const whole = createConversation(1)
  whole.bodyOf(50)
  expect(whole.bodyOf(20)).toBe(createConversation(1).bodyOf(20))
  expect(whole.bodyOf(20)).not.toBe(createConversation(2).bodyOf(20))
})
