import { describe, expect, it } from 'vitest'
import { rebuiltConversation } from './rebuilt-conversation.ts'

const user = { role: 'user', content: 'go' }
const call = (...ids: readonly string[]) => ({
  role: 'assistant',
  content: ids.map((toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 'read', input: {} })),
})
const part = (toolCallId: string, value: string) => {
  return { type: 'tool-result', toolCallId, toolName: 'read', output: { type: 'text', value } }
}
const result = (id: string, value = id) => ({ role: 'tool', content: [part(id, value)] })
const answer = { role: 'assistant', content: [{ type: 'text', text: 'done' }] }

describe('a conversation rebuilt from a transcript', () => {
  it('has results in the order of their calls, whichever came first', () => {
    const { messages, interrupted } = rebuiltConversation([user, call('a', 'b'), result('b'), result('a'), answer])
    expect(messages).toEqual([
      user,
      call('a', 'b'),
      { role: 'tool', content: [part('a', 'a'), part('b', 'b')] },
      answer,
    ])
    expect(interrupted).toEqual([])
  })

  it('says that the result of an interrupted call is unknown', () => {
    const { messages, interrupted } = rebuiltConversation([user, call('a', 'b'), result('a')])
    expect(interrupted).toMatchObject([{ before: [user], result: { toolCallId: 'b', output: { type: 'error-text' } } }])
    expect(messages.at(-1)).toEqual({ role: 'tool', content: [part('a', 'a'), interrupted[0]!.result] })
    expect(JSON.stringify(interrupted)).toContain('may or may not have happened')
  })

  it('keeps results with their answer, if ids are reused', () => {
    const lines = [user, call('1'), result('1', 'old'), call('1'), result('1', 'new')]
    const { messages } = rebuiltConversation(lines)
    expect(messages[2]).toEqual({ role: 'tool', content: [part('1', 'old')] })
    expect(messages[4]).toEqual({ role: 'tool', content: [part('1', 'new')] })
  })

  it('is done after an answer without calls, and only then', () => {
    expect(rebuiltConversation([user, answer]).answer).toBe('done')
    expect(rebuiltConversation([user, call('a'), result('a')]).answer).toBe(null)
    expect(rebuiltConversation([user]).answer).toBe(null)
    expect(rebuiltConversation([user, answer, user]).answer).toBe(null)
    expect(rebuiltConversation([user, { role: 'assistant', content: [] }])).toMatchObject({
      messages: [user],
      answer: null,
    })
  })

  it('is done after an accepted submission, and neither before nor after one that was sent back', () => {
    const submit = {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 's', toolName: 'submit', input: { answer: 'the whole' } }],
    }
    const failed = { ...part('s', 'answer is missing.'), output: { type: 'error-text', value: 'answer is missing.' } }
    expect(rebuiltConversation([user, submit, result('s', 'Handed in.')]).answer).toBe('the whole')
    expect(rebuiltConversation([user, submit]).answer).toBe(null)
    expect(rebuiltConversation([user, submit, { role: 'tool', content: [failed] }]).answer).toBe(null)
    expect(rebuiltConversation([user, submit, result('s'), user]).answer).toBe(null)
  })

  it('has no result of ours for a call that the provider ran', () => {
    const own = { type: 'tool-call', toolCallId: 's', toolName: 'search', input: {}, providerExecuted: true }
    const message = { role: 'assistant', content: [own, { type: 'text', text: 'found' }] }
    expect(rebuiltConversation([user, message])).toMatchObject({
      messages: [user, message],
      answer: 'found',
      interrupted: [],
    })
  })
})
