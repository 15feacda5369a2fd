import type { AnswerRelay, RelayOptions } from '../dialect.ts'
import { type JsonObject, objectFrom, textFrom } from '../request/json-value.ts'
import { type EventOutput, isUnreadable, relayEvents, type ServerSentEvent } from '../sse/index.ts'
import type { AnswerSoFar } from './answer-so-far.ts'
import { createStreamBlocks, type StreamBlocks } from './stream-blocks.ts'
import { type Events, type StreamEvent, written } from './stream-event.ts'

/** Follows an answer that comes in events. Those that do not change go on byte by byte. */
export function relayStream(answer: AnswerSoFar, options: RelayOptions): AnswerRelay {
  const isPassive = options.admitToolCall === null && !options.isClosing
  const blocks = createStreamBlocks(answer)
  const onEvent = (event: ServerSentEvent): EventOutput | Promise<EventOutput> => {
    const said = event.data === null ? null : parsed(event.data)
    // It may be one call too many.
    if (said === null) return !isPassive && isUnreadable(event) ? null : event.bytes
    const type = textFrom(said.type) || event.name
    const output = (events: Events): EventOutput => outputOf(event, events)
    const events = handle(answer, blocks, type, said)
    return events instanceof Promise ? events.then(output) : output(events)
  }
  const relay = relayEvents({ onEvent, onEnd: () => blocks.flush().map(written).join(''), isPassive })
  return { push: relay.push, end: relay.end, reading: answer.reading }
}

function handle(answer: AnswerSoFar, blocks: StreamBlocks, type: string, said: JsonObject): Events | Promise<Events> {
  switch (type) {
    case 'message_start': {
      const message = objectFrom(said.message)
      answer.usage.add(message?.usage, false)
      if (message === null) return 'same'
      answer.noteMessage(message)
      return blocks.begin(said, message)
    }
    case 'content_block_start':
      return blocks.start(said)
    case 'content_block_delta':
      return blocks.delta(said)
    case 'content_block_stop':
      return blocks.stop(said)
    case 'message_delta':
      return endMessage(answer, blocks, said)
    case 'message_stop': {
      answer.markComplete()
      return inFront(blocks.finish(), said)
    }
    case 'error':
      answer.markError()
      return 'same'
    default:
      return 'same'
  }
}

function endMessage(answer: AnswerSoFar, blocks: StreamBlocks, said: JsonObject): Events {
  const delta = objectFrom(said.delta)
  answer.usage.add(said.usage, true)
  answer.noteStop(delta?.stop_reason)
  const stopReason = answer.mendedStop(delta?.stop_reason)
  const isMended = delta !== null && stopReason !== delta.stop_reason
  const events = blocks.finish()
  return isMended ? [...events, { ...said, delta: { ...delta, stop_reason: stopReason } }] : inFront(events, said)
}

function inFront(events: readonly StreamEvent[], said: JsonObject): Events {
  return events.length === 0 ? 'same' : [...events, said]
}

function outputOf(event: ServerSentEvent, events: Events): EventOutput {
  return events === 'same' ? event.bytes : events.map(written).join('')
}

function parsed(data: string): JsonObject | null {
  try {
    return objectFrom(JSON.parse(data))
  } catch {
    return null
  }
}
