import type { Answer, StreamPiece } from '../../answer/answer.ts'
import { piecesOfText } from '../../answer/pieces-of-text.ts'
import { createStreamWriter, type StreamWriter } from '../../answer/stream-writer.ts'
import type { TokenRule } from '../../counting/token-rule.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { messageHead } from './answer-body.ts'
import { type Block, blocksOf, stopReasonOf } from './blocks.ts'
import { usageOf } from './usage.ts'

/** The answer as a stream. Counts are cumulative, as published: the last one counts. */
export function answerPieces(answer: Answer, rule: TokenRule): readonly StreamPiece[] {
  const writer = createStreamWriter()
  const send = (type: string, more: JsonObject = {}) => writer.send({ type, ...more }, type)
  const { outputTokens } = answer.usage
  send('message_start', {
    message: {
      ...messageHead(answer),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      ...usageOf(answer, Math.min(1, outputTokens)),
    },
  })
  send('ping')
  blocksOf(answer).forEach((block, index) => {
    sendBlock(block, index, answer, writer, rule)
    if (answer.report === 'cumulative') {
      send('message_delta', {
        delta: { stop_reason: null, stop_sequence: null },
        ...usageOf(answer, Math.min(writer.outputTokens, outputTokens)),
      })
    }
  })
  const end = {
    delta: { stop_reason: stopReasonOf(answer), stop_sequence: null },
    ...usageOf(answer, outputTokens),
  }
  send('message_delta', end)
  if (answer.report === 'repeated') send('message_delta', end)
  send('message_stop')
  return writer.pieces
}

function sendBlock(block: Block, index: number, answer: Answer, writer: StreamWriter, rule: TokenRule): void {
  const start = (content_block: JsonObject) =>
    writer.send({ type: 'content_block_start', index, content_block }, 'content_block_start')
  const delta = (content: JsonObject) =>
    writer.send({ type: 'content_block_delta', index, delta: content }, 'content_block_delta')
  switch (block.type) {
    case 'thinking':
      start({ type: 'thinking', thinking: '', signature: '' })
      writer.count(answer.choices[0]!.thinking?.tokens ?? 0)
      for (const thinking of piecesOfText(block.thinking)) delta({ type: 'thinking_delta', thinking })
      delta({ type: 'signature_delta', signature: block.signature })
      break
    case 'text':
      start({ type: 'text', text: '' })
      for (const text of piecesOfText(block.text, answer.choices[0]!.textPieces)) {
        writer.count(rule.tokensOf(text))
        delta({ type: 'text_delta', text })
      }
      break
    case 'tool_use':
    case 'server_tool_use': {
      const { json, ...rest } = block
      start({ ...rest, input: {} })
      if (block.type === 'tool_use') writer.count(rule.tokensOf(block.name) + rule.tokensOf(json))
      delta({ type: 'input_json_delta', partial_json: '' })
      for (const partial_json of piecesOfText(json)) delta({ type: 'input_json_delta', partial_json })
      break
    }
    case 'web_search_tool_result':
      start(block)
  }
  writer.send({ type: 'content_block_stop', index }, 'content_block_stop')
}
