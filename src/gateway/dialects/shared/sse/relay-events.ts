import { createEventSplitter } from './event-splitter.ts'
import type { ServerSentEvent } from './server-sent-event.ts'

/** What becomes of an event: its own bytes, other bytes, or nothing. */
export type EventOutput = Buffer | string | null

export interface EventHandler {
  /** Called for one event after the other. A promise delays all later ones. */
  onEvent(event: ServerSentEvent): EventOutput | Promise<EventOutput>
  /** What must still be sent when the stream has ended. */
  onEnd(): EventOutput
  /** Whether bytes are passed on as they arrive and events are only observed: nothing is ever changed. */
  readonly isPassive: boolean
}

export interface EventRelay {
  push(bytes: Buffer): Buffer | Promise<Buffer>
  end(): Buffer | Promise<Buffer>
}

const NOTHING = Buffer.alloc(0)

/** Passes a stream to `handler` event by event. Returns immediately unless an event has to wait. */
export function relayEvents(handler: EventHandler): EventRelay {
  const splitter = createEventSplitter()
  // A push before the last one has resolved is queued behind it.
  let pending: Promise<Buffer> | null = null

  /** `bytes` contains the events; `null` at the end of the stream. */
  function relay(events: readonly ServerSentEvent[], bytes: Buffer | null): Buffer | Promise<Buffer> {
    if (handler.isPassive) {
      for (const event of events) void handler.onEvent(event)
      return bytes ?? joined([handler.onEnd()])
    }
    const isEnd = bytes === null
    const answer =
      pending === null
        ? handEach(handler, events, isEnd, 0, [])
        : pending.then(() => handEach(handler, events, isEnd, 0, []))
    if (Buffer.isBuffer(answer)) return answer
    const settled = answer.finally(() => {
      if (pending === settled) pending = null
    })
    pending = settled
    return settled
  }

  return {
    push: (bytes) => relay(splitter.push(bytes), bytes),
    end() {
      const last = splitter.end()
      return relay(last === null ? [] : [last], null)
    },
  }
}

function handEach(
  handler: EventHandler,
  events: readonly ServerSentEvent[],
  isEnd: boolean,
  from: number,
  done: EventOutput[],
): Buffer | Promise<Buffer> {
  for (let index = from; index < events.length; index++) {
    const output = handler.onEvent(events[index]!)
    if (output instanceof Promise) {
      return output.then((awaited) => handEach(handler, events, isEnd, index + 1, [...done, awaited]))
    }
    done.push(output)
  }
  if (isEnd) done.push(handler.onEnd())
  return joined(done)
}

function joined(outputs: readonly EventOutput[]): Buffer {
  const parts: Buffer[] = []
  for (const output of outputs) {
    if (output !== null && output.length > 0) parts.push(typeof output === 'string' ? Buffer.from(output) : output)
  }
  return parts.length === 0 ? NOTHING : parts.length === 1 ? parts[0]! : Buffer.concat(parts)
}
