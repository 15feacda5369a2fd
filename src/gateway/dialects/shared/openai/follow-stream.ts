import type { AnswerRelay, RelayOptions } from '../../dialect.ts'
import type { FollowedAnswer, MutableJson, Verdict } from '../answer/followed-answer.ts'
import { textFrom } from '../request/json-value.ts'
import { dataOf, type EventOutput, formatEvent, isUnreadable, relayEvents, type ServerSentEvent } from '../sse/index.ts'

const DONE = '[DONE]'

export interface FollowStreamOptions extends Pick<RelayOptions, 'admitToolCall' | 'hidesUsage' | 'isClosing'> {
  /** The bytes of an event that is passed on unchanged. */
  readonly sameBytes?: (bytes: Buffer, event: MutableJson) => Buffer
}

/** Passes the events of a stream to an answer, and what it decides on to the client. */
export function followStream(answer: FollowedAnswer, options: FollowStreamOptions): AnswerRelay {
  const { sameBytes = (bytes) => bytes } = options
  const mayCut = options.admitToolCall !== null || options.isClosing
  const rest = () => formatAll(answer.rest())
  // It may be one call too many.
  const unread = (event: ServerSentEvent): EventOutput => (mayCut && isUnreadable(event) ? null : event.bytes)

  const onEvent = (event: ServerSentEvent): EventOutput | Promise<EventOutput> => {
    const { data } = event
    if (data === null) return unread(event)
    if (event.name === 'error') answer.markError()
    if (data.startsWith(DONE)) {
      const held = rest()
      answer.markDone()
      return held === '' ? event.bytes : Buffer.concat([Buffer.from(held), event.bytes])
    }
    const said = dataOf(event)
    if (said === null) return unread(event)
    const output = (verdict: Verdict): EventOutput => {
      if (verdict === 'same') return sameBytes(event.bytes, said)
      const before = formatAll(answer.before?.() ?? [])
      return verdict === 'dropped' ? before : before + formatEvent(event.name, JSON.stringify(said))
    }
    const verdict = answer.follow(said)
    return typeof verdict === 'string' ? output(verdict) : verdict.then(output)
  }

  const relay = relayEvents({ onEvent, onEnd: rest, isPassive: !mayCut && !options.hidesUsage })
  return { push: relay.push, end: relay.end, reading: answer.reading }
}

function formatAll(events: readonly MutableJson[]): string {
  return events.map((event) => formatEvent(textFrom(event.type), JSON.stringify(event))).join('')
}
