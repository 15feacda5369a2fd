import type { Answer } from '../../answer/answer.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { type Block, blocksOf, stopReasonOf } from './blocks.ts'
import { usageOf } from './usage.ts'

/** The answer in one piece. */
export function answerBody(answer: Answer): JsonObject {
  return {
    ...messageHead(answer),
    content: blocksOf(answer).map(wholeBlock),
    stop_reason: stopReasonOf(answer),
    stop_sequence: null,
    ...usageOf(answer, answer.usage.outputTokens),
  }
}

/** A message without content. */
export function messageHead({ serial, request }: Answer): JsonObject {
  return { id: `msg_${serial}`, type: 'message', role: 'assistant', model: request.model }
}

function wholeBlock(block: Block): JsonObject {
  if (block.type !== 'tool_use' && block.type !== 'server_tool_use') return block
  const { json, ...rest } = block
  return { ...rest, input: JSON.parse(json) }
}
