import { stripToolMarkup } from '../../../governor/index.ts'
import type { AnswerRelay, RelayOptions } from '../dialect.ts'
import { EMPTIED_ANSWER } from '../shared/answer/emptied-answer.ts'
import { extendText } from '../shared/answer/extend-text.ts'
import { followWhole } from '../shared/answer/follow-whole.ts'
import type { MutableJson, Verdict } from '../shared/answer/followed-answer.ts'
import { type JsonObject, objectFrom } from '../shared/request/json-value.ts'
import { type AnswerSoFar, mendedStop, noteProviderCall, PROVIDER_CALLS } from './answer-so-far.ts'
import { THINKING } from './stream-event.ts'
import { addUsage } from './usage-so-far.ts'

/** Follows an answer that is one message. */
export function relayMessage(answer: AnswerSoFar, options: RelayOptions, reading: AnswerRelay['reading']): AnswerRelay {
  const follow = (message: MutableJson): Verdict | Promise<Verdict> => {
    if (message.type === 'error') answer.hasError = true
    if (!Array.isArray(message.content)) return 'same'
    addUsage(answer.usage, message.usage, true)
    answer.answerId = message.id
    answer.model = message.model
    answer.stopReason = message.stop_reason
    answer.isComplete = true
    const kept = keepBlocks(answer, message.content, 0, [])
    return Array.isArray(kept) ? write(answer, message, kept) : kept.then((late) => write(answer, message, late))
  }
  return followWhole({ follow, rest: () => [], markDone: () => {}, markError: () => {}, reading }, options)
}

/** The blocks that the client gets. A promise while a tool call waits to be admitted. */
function keepBlocks(
  answer: AnswerSoFar,
  blocks: readonly unknown[],
  from: number,
  kept: unknown[],
): unknown[] | Promise<unknown[]> {
  for (let index = from; index < blocks.length; index++) {
    const block = objectFrom(blocks[index]) ?? {}
    if (block.type === 'tool_use') {
      const admitted = answer.gate.admit({ id: String(block.id ?? ''), name: String(block.name ?? '') })
      if (typeof admitted !== 'boolean') {
        return admitted.then((isLate) =>
          keepBlocks(answer, blocks, index + 1, isLate ? [...kept, blocks[index]] : kept),
        )
      }
      if (admitted) kept.push(blocks[index])
      continue
    }
    if (PROVIDER_CALLS.has(block.type)) noteProviderCall(answer, block)
    const text = textLeftIn(answer, block)
    if (text === null) kept.push(blocks[index])
    else if (text !== '') kept.push({ ...block, text })
  }
  return kept
}

/** The text without markup; `null` if the block stays as it is. */
function textLeftIn(answer: AnswerSoFar, block: JsonObject): string | null {
  const { type, text } = block
  if (type !== 'text' || typeof text !== 'string') return null
  const plain = answer.stripsText ? stripToolMarkup(text) : text
  answer.text = extendText(answer.text, plain)
  return plain === text ? null : plain
}

function write(answer: AnswerSoFar, message: MutableJson, kept: readonly unknown[]): Verdict {
  const content = message.content as readonly unknown[]
  if (kept.length === content.length && kept.every((block, index) => block === content[index])) return 'same'
  const isEmptied = kept.every((block) => THINKING.has(objectFrom(block)?.type))
  if (isEmptied) answer.text = extendText(answer.text, EMPTIED_ANSWER)
  message.content = isEmptied ? [...kept, { type: 'text', text: EMPTIED_ANSWER }] : kept
  message.stop_reason = mendedStop(answer, message.stop_reason)
  return 'changed'
}
