import { expect, it } from 'vitest'
import { type ServerEvent, serverEvents } from './server-event.ts'

async function eventsIn(...chunks: readonly string[]): Promise<readonly ServerEvent[]> {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
      controller.close()
    },
  })
  const events: ServerEvent[] = []
  for await (const event of serverEvents(body)) events.push(event)
  return events
}

it('reads events from any pieces of the stream', async () => {
  const text =
    'retry: 1000\n\nid: 7\nevent: scopes\ndata: {"a":1}\n\n: still here\n\nevent: reset\ndata: one\ndata: two\n\n'
  const expected = [
    { id: '7', event: 'scopes', data: '{"a":1}' },
    { id: null, event: 'reset', data: 'one\ntwo' },
  ]
  expect(await eventsIn(text)).toEqual(expected)
  expect(await eventsIn(...text)).toEqual(expected)
  expect(await eventsIn(text.replaceAll('\n', '\r\n'))).toEqual(expected)
})

it('omits an event that was cut off', async () => {
  expect(await eventsIn('event: scopes\ndata: {"a"')).toEqual([])
})
