import type { AnswerRelay, RelayOptions } from '../dialect.ts'
import { type JsonObject, objectFrom, textFrom } from '../shared/request/json-value.ts'
import { dataOf, type EventOutput, isUnreadable, relayEvents, type ServerSentEvent } from '../shared/sse/index.ts'
import { type AnswerSoFar, mendedStop } from './answer-so-far.ts'
import { createStreamBlocks, type StreamBlocks } from './stream-blocks.ts'
import { type Events, type StreamEvent, written } from './stream-event.ts'
import { addUsage } from './usage-so-far.ts'

/** Follows a streamed answer. Unchanged events are passed on byte for byte. */
export function relayStream(answer: AnswerSoFar, options: RelayOptions, reading: AnswerRelay['reading']): AnswerRelay {
  const isPassive = options.admitToolCall === null && !options.isClosing
  const blocks = createStreamBlocks(answer)
  const onEvent = (event: ServerSentEvent): EventOutput | Promise<EventOutput> => {
    const said = dataOf(event)
    // It may be one call too many.
    if (said === null) return !isPassive && isUnreadable(event) ? null : event.bytes
    const events = handle(answer, blocks, textFrom(said.type) || event.name, said)
    if (events === 'same') return event.bytes
    return events instanceof Promise ? events.then((late) => outputOf(event, late)) : outputOf(event, events)
  }
  const { push, end } = relayEvents({
    onEvent,
    onEnd: () => (answer.stripsText ? blocks.flush().map(written).join('') : null),
    isPassive,
  })
  return { push, end, reading }
}

function handle(answer: AnswerSoFar, blocks: StreamBlocks, type: string, said: JsonObject): Events | Promise<Events> {
  switch (type) {
    case 'message_start':
      return beginMessage(answer, said)
    case 'content_block_start':
      return blocks.start(said)
    case 'content_block_delta':
      return blocks.delta(said)
    case 'content_block_stop':
      return blocks.stop(said)
    case 'message_delta':
      return endMessage(answer, blocks.finish(), said)
    case 'message_stop':
      answer.isComplete = true
      return inFront(blocks.finish(), said)
    case 'error':
      answer.hasError = true
      return 'same'
    default:
      return 'same'
  }
}

/** No stream has blocks here. Calls that cannot be admitted one by one are not passed on. */
function beginMessage(answer: AnswerSoFar, said: JsonObject): Events {
  const message = objectFrom(said.message)
  if (message === null) return 'same'
  addUsage(answer.usage, message.usage, false)
  answer.answerId = message.id
  answer.model = message.model
  const isFull = Array.isArray(message.content) && message.content.length > 0
  return isFull ? [{ ...said, message: { ...message, content: [] } }] : 'same'
}

function endMessage(answer: AnswerSoFar, before: readonly StreamEvent[], said: JsonObject): Events {
  const delta = objectFrom(said.delta)
  const stopReason = delta?.stop_reason
  addUsage(answer.usage, said.usage, true)
  if (typeof stopReason === 'string') answer.stopReason = stopReason
  const mended = mendedStop(answer, stopReason)
  return inFront(before, mended === stopReason ? said : { ...said, delta: { ...delta, stop_reason: mended } }, said)
}

function inFront(events: readonly StreamEvent[], event: JsonObject, said = event): Events {
  return events.length === 0 && event === said ? 'same' : [...events, event]
}

function outputOf(event: ServerSentEvent, events: Events): EventOutput {
  return events === 'same' ? event.bytes : events.map(written).join('')
}
