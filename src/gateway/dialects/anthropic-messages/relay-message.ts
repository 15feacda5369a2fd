import { stripToolMarkup } from '../../../governor/index.ts'
import { EMPTIED_ANSWER } from '../answer/emptied-answer.ts'
import { followWhole } from '../answer/follow-whole.ts'
import type { MutableJson, Verdict } from '../answer/followed-answer.ts'
import type { AnswerRelay, RelayOptions } from '../dialect.ts'
import { type JsonObject, objectFrom } from '../request/json-value.ts'
import type { AnswerSoFar } from './answer-so-far.ts'
import { isThinking } from './is-thinking.ts'

/** Follows an answer that is one message. */
export function relayMessage(answer: AnswerSoFar, options: RelayOptions): AnswerRelay {
  const follow = (message: MutableJson): Verdict | Promise<Verdict> => {
    if (message.type === 'error') answer.markError()
    if (!Array.isArray(message.content)) return 'same'
    answer.usage.add(message.usage, true)
    answer.noteMessage(message)
    answer.noteStop(message.stop_reason)
    answer.markComplete()
    const kept = keepBlocks(answer, message.content, 0, [])
    return Array.isArray(kept) ? write(answer, message, kept) : kept.then((late) => write(answer, message, late))
  }
  return followWhole(
    { follow, rest: () => [], markDone: () => {}, markError: answer.markError, reading: answer.reading },
    options,
  )
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
    answer.noteBlock(block)
    const text = keptText(answer, block)
    if (text === null) kept.push(blocks[index])
    else if (text !== '') kept.push({ ...block, text })
  }
  return kept
}

/** What a text says without markup; `null` where the block stays as it is. */
function keptText(answer: AnswerSoFar, block: JsonObject): string | null {
  const { type, text } = block
  if (type !== 'text' || typeof text !== 'string') return null
  const plain = answer.stripsText ? stripToolMarkup(text) : text
  answer.text.add(plain)
  return plain === text ? null : plain
}

function write(answer: AnswerSoFar, message: MutableJson, kept: readonly unknown[]): Verdict {
  const content = message.content as readonly unknown[]
  if (kept.length === content.length && kept.every((block, index) => block === content[index])) return 'same'
  const isEmptied = kept.every((block) => isThinking(objectFrom(block)?.type))
  if (isEmptied) answer.text.add(EMPTIED_ANSWER)
  message.content = isEmptied ? [...kept, { type: 'text', text: EMPTIED_ANSWER }] : kept
  message.stop_reason = answer.mendedStop(message.stop_reason)
  return 'changed'
}
