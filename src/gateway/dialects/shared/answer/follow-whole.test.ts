import { expect, it } from 'vitest'
import { DIALECTS } from '../../dialects.ts'
import { createChatAnswer } from '../../openai-chat/chat-answer.ts'
import { followWhole } from './follow-whole.ts'

it('withholds an answer that is too large to read, without treating it as an error, which would be free', async () => {
  const body = Buffer.from(JSON.stringify({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'go' }] }))
  const request = DIALECTS['openai-chat'].readRequest(body)
  const options = { admitToolCall: async () => true, isClosing: false, hidesUsage: false, isEventStream: false }
  const relay = followWhole(createChatAnswer(request, options), options, 100)
  expect(await relay.push(Buffer.from(`{"choices":[],"more":"${'x'.repeat(200)}`))).toHaveLength(0)
  expect(await relay.push(Buffer.from('"}'))).toHaveLength(0)
  expect(await relay.end()).toHaveLength(0)
  expect(relay.reading()).toMatchObject({ usage: null, partialUsage: null, hasError: false, isComplete: false })
})
