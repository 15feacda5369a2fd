import { expect, it, onTestFinished } from 'vitest'
import { createPreparedProvider } from '../../src/testing/provider/index.ts'
import { countEvents } from './count-events.ts'

it.each([
  ['', 0],
  ['data: {"a":1}\n\ndata: [DONE]\n\n', 2],
  ['event: ping\r\ndata: {}\r\n\r\nevent: stop\r\ndata: {}\r\n\r\n', 2],
  [': a comment\n\ndata: one\ndata: event\n\n', 1],
  ['data: whole\n\ndata: cut of', 1],
])('counts the events of %j: %i', (text, events) => {
  expect(countEvents(text)).toBe(events)
})

it('counts what the prepared provider sends', async () => {
  const provider = await createPreparedProvider({ textEvents: 496, eventsPerWrite: 10 })
  onTestFinished(() => provider.close())
  const request = { method: 'POST', body: '{"stream":true}' }
  const answer = await fetch(`${provider.openaiUrl}/chat/completions`, request)
  // A first event with the role, one with the reason to stop, one with the usage, and `[DONE]`.
  expect(countEvents(await answer.text())).toBe(496 + 4)
})
