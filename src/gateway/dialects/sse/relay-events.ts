import { createEventSplitter, type EventSplitter } from './event-splitter.ts'
import type { ServerSentEvent } from './server-sent-event.ts'

/** What an event becomes: its own bytes, other ones, or nothing. */
export type EventOutput = Buffer | string | null

export interface EventHandler {
  /** Called for one event after the other. A promise holds up all that follow. */
  onEvent(event: ServerSentEvent): EventOutput | Promise<EventOutput>
  /** What is still to be said when the stream has ended. */
  onEnd(): EventOutput
  /** Whether bytes go on as they come, and events are only looked at: nothing is ever changed. */
  readonly isPassive: boolean
}

export interface EventRelay {
  push(bytes: Buffer): Buffer | Promise<Buffer>
  end(): Buffer | Promise<Buffer>
}

const NOTHING = Buffer.alloc(0)

/** Hands a stream to `handler` event by event. Answers at once unless an event has to wait. */
export function relayEvents(handler: EventHandler): EventRelay {
  const splitter = createEventSplitter()
  // Whoever pushes before the last push was answered gets its answer behind that one.
  let pending: Promise<Buffer> | null = null
  const inOrder = (relay: () => Buffer | Promise<Buffer>): Buffer | Promise<Buffer> => {
    const answer = pending === null ? relay() : pending.then(relay)
    if (Buffer.isBuffer(answer)) return answer
    const settled = answer.finally(() => {
      if (pending === settled) pending = null
    })
    pending = settled
    return settled
  }
  const watch = (events: readonly ServerSentEvent[]) => {
    for (const event of events) void handler.onEvent(event)
  }
  return {
    push(bytes) {
      if (!handler.isPassive) return inOrder(() => handEach(handler, splitter.push(bytes), 0, []))
      watch(splitter.push(bytes))
      return bytes
    },
    end() {
      if (handler.isPassive) {
        watch(lastOf(splitter))
        return joined([handler.onEnd()])
      }
      return inOrder(() => {
        const last = handEach(handler, lastOf(splitter), 0, [])
        if (Buffer.isBuffer(last)) return joined([last, handler.onEnd()])
        return last.then((bytes) => joined([bytes, handler.onEnd()]))
      })
    },
  }
}

function lastOf(splitter: EventSplitter): readonly ServerSentEvent[] {
  const rest = splitter.end()
  return rest === null ? [] : [rest]
}

function handEach(
  handler: EventHandler,
  events: readonly ServerSentEvent[],
  from: number,
  done: EventOutput[],
): Buffer | Promise<Buffer> {
  for (let index = from; index < events.length; index++) {
    const output = handler.onEvent(events[index]!)
    if (output instanceof Promise) {
      return output.then((awaited) => handEach(handler, events, index + 1, [...done, awaited]))
    }
    done.push(output)
  }
  return joined(done)
}

function joined(outputs: readonly EventOutput[]): Buffer {
  const parts = outputs.filter((output) => output !== null && output.length > 0)
  if (parts.length === 0) return NOTHING
  const [first] = parts
  if (parts.length === 1 && Buffer.isBuffer(first)) return first
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part!) : part!)))
}
