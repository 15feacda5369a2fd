import { EMPTIED_ANSWER } from '../shared/answer/emptied-answer.ts'
import { type ClosingText, createClosingText, extendText } from '../shared/answer/index.ts'
import { type JsonObject, objectFrom, textFrom } from '../shared/request/json-value.ts'
import { type AnswerSoFar, noteProviderCall, PROVIDER_CALLS } from './answer-so-far.ts'
import { type Events, type StreamEvent, THINKING, textEvents } from './stream-event.ts'

/** The content blocks of a stream: which of them reach the client, and under which index. Never throws. */
export interface StreamBlocks {
  start(event: JsonObject): Events | Promise<Events>
  delta(event: JsonObject): Events
  stop(event: JsonObject): Events
  /** Events to send before the end of the message. */
  finish(): readonly StreamEvent[]
  /** Texts that were held back when the stream was cut off. */
  flush(): readonly StreamEvent[]
}

interface Block {
  readonly kind: 'passed' | 'cut' | 'text'
  /** By how much the client's index is smaller. */
  readonly shift: number
  /** A closing text: it begins only once it has content. */
  readonly closing: ClosingText | null
  readonly startEvent: JsonObject | null
  isBegun: boolean
}

export function createStreamBlocks(answer: AnswerSoFar): StreamBlocks {
  const blocks = new Map<unknown, Block>()
  let dropped = 0
  let nextIndex = 0
  let hasAnswer = false

  const open = (index: unknown, kind: Block['kind'], startEvent: JsonObject | null): Block => {
    const closing = kind === 'text' ? createClosingText() : null
    const block: Block = {
      kind,
      shift: dropped,
      closing,
      startEvent,
      isBegun: kind === 'passed' || startEvent === null,
    }
    blocks.set(index, block)
    return block
  }
  const renumbered = (event: JsonObject, shift: number): Events => {
    const { index } = event
    if (typeof index === 'number' && Number.isSafeInteger(index)) nextIndex = Math.max(nextIndex, index - shift + 1)
    return shift === 0 || typeof index !== 'number' ? 'same' : [{ ...event, index: index - shift }]
  }
  /** A piece of a closing text; the first one is preceded by the start of its block. */
  const say = (index: unknown, block: Block, text: string): readonly StreamEvent[] => {
    if (text === '') return []
    const event = { type: 'content_block_delta', index, delta: { type: 'text_delta', text } }
    answer.text = extendText(answer.text, text)
    hasAnswer = true
    const events = eventsOf(renumbered(event, block.shift), event)
    if (block.isBegun) return events
    block.isBegun = true
    const start = { ...block.startEvent!, content_block: { ...objectFrom(block.startEvent!.content_block), text: '' } }
    return [...eventsOf(renumbered(start, block.shift), start), ...events]
  }
  const decide = (event: JsonObject, isAdmitted: boolean): Events => {
    if (!isAdmitted) {
      open(event.index, 'cut', event)
      dropped++
      return []
    }
    hasAnswer = true
    return renumbered(event, open(event.index, 'passed', event).shift)
  }
  const flush = () =>
    Array.from(blocks, ([index, block]) =>
      block.closing === null ? [] : say(index, block, block.closing.end()),
    ).flat()

  return {
    start(event) {
      const block = objectFrom(event.content_block) ?? {}
      if (block.type === 'tool_use') {
        const admitted = answer.gate.admit({ id: textFrom(block.id), name: textFrom(block.name) })
        return typeof admitted === 'boolean' ? decide(event, admitted) : admitted.then((late) => decide(event, late))
      }
      if (PROVIDER_CALLS.has(block.type)) noteProviderCall(answer, block)
      const text = block.type === 'text' ? textFrom(block.text) : ''
      if (block.type === 'text' && answer.stripsText) {
        const opened = open(event.index, 'text', event)
        return say(event.index, opened, opened.closing!.push(text))
      }
      if (text !== '') answer.text = extendText(answer.text, text)
      hasAnswer ||= !THINKING.has(block.type)
      return renumbered(event, open(event.index, 'passed', event).shift)
    },
    delta(event) {
      const delta = objectFrom(event.delta) ?? {}
      const isText = delta.type === 'text_delta'
      const known = blocks.get(event.index)
      // The start of its block never came: text can still be read, but a call cannot be one of those admitted.
      if (known === undefined && delta.type === 'input_json_delta' && answer.gate.cut > 0) return []
      const block = known ?? (isText && answer.stripsText ? open(event.index, 'text', null) : null)
      if (block?.kind === 'cut') return []
      if (block?.kind === 'text') {
        if (!isText) return block.isBegun ? renumbered(event, block.shift) : []
        const text = textFrom(delta.text)
        const wasBegun = block.isBegun
        const said = block.closing!.push(text)
        const events = say(event.index, block, said)
        return said === text && wasBegun && block.shift === 0 ? 'same' : events
      }
      if (isText) answer.text = extendText(answer.text, textFrom(delta.text))
      return block === null ? 'same' : renumbered(event, block.shift)
    },
    stop(event) {
      const block = blocks.get(event.index)
      blocks.delete(event.index)
      if (block === undefined) return 'same'
      if (block.kind === 'cut') return []
      if (block.closing === null) return renumbered(event, block.shift)
      const events = say(event.index, block, block.closing.end())
      if (!block.isBegun) {
        dropped++
        return []
      }
      return events.length === 0
        ? renumbered(event, block.shift)
        : [...events, ...eventsOf(renumbered(event, block.shift), event)]
    },
    finish() {
      const rest = answer.stripsText ? flush() : []
      if (hasAnswer || (dropped === 0 && answer.gate.cut === 0)) return rest
      hasAnswer = true
      answer.text = extendText(answer.text, EMPTIED_ANSWER)
      return [...rest, ...textEvents(nextIndex, EMPTIED_ANSWER)]
    },
    flush,
  }
}

function eventsOf(events: Events, same: JsonObject): readonly StreamEvent[] {
  return events === 'same' ? [same] : events
}
