import type { Answer, StreamPiece } from '../../answer/answer.ts'
import { piecesOfText } from '../../answer/pieces-of-text.ts'
import { createStreamWriter } from '../../answer/stream-writer.ts'
import type { TokenRule } from '../../counting/token-rule.ts'
import { type JsonObject, objectsOf, textOf } from '../../json/json-value.ts'
import { answerBody, isIncomplete, responseHead } from './answer-body.ts'
import { type OutputItem, outputItems } from './output-items.ts'
import { usageOf } from './usage.ts'

interface ItemStream {
  /** An event about the item. */
  readonly send: (type: string, more?: JsonObject) => void
  readonly count: (outputTokens: number) => void
  readonly rule: TokenRule
  readonly textPieces: number | undefined
}

/** The answer as a stream: each item is opened, filled and closed, and the last event has the whole response. */
export function answerPieces(answer: Answer, rule: TokenRule): readonly StreamPiece[] {
  const writer = createStreamWriter()
  let sequence_number = 0
  const send = (type: string, more: JsonObject) =>
    writer.send({ type, sequence_number: sequence_number++, ...more }, type)
  const head = responseHead(answer)
  const { outputTokens } = answer.usage
  const { textPieces } = answer.choices[0]!
  send('response.created', { response: { ...head, usage: null } })
  send('response.in_progress', { response: { ...head, usage: null } })
  outputItems(answer).forEach((item, output_index) => {
    const about = (type: string, more: JsonObject = {}) => send(type, { output_index, item_id: item.id, ...more })
    send('response.output_item.added', { output_index, item: openedItem(item) })
    if (item.type === 'reasoning') writer.count(answer.choices[0]!.thinking?.tokens ?? 0)
    fillItem(item, { send: about, count: (tokens) => writer.count(tokens), rule, textPieces })
    send('response.output_item.done', { output_index, item })
    if (answer.report === 'cumulative') {
      const usage = usageOf(answer, Math.min(writer.outputTokens, outputTokens))
      send('response.in_progress', { response: { ...head, ...usage } })
    }
  })
  const type = isIncomplete(answer) ? 'response.incomplete' : 'response.completed'
  send(type, { response: answerBody(answer) })
  if (answer.report === 'repeated') send(type, { response: answerBody(answer) })
  return writer.pieces
}

function openedItem(item: OutputItem): JsonObject {
  switch (item.type) {
    case 'message':
      return { ...item, status: 'in_progress', content: [] }
    case 'reasoning':
      return { ...item, summary: [] }
    case 'function_call':
      return { ...item, status: 'in_progress', arguments: '' }
    case 'custom_tool_call':
      return { ...item, input: '' }
    default:
      return { ...item, status: 'in_progress' }
  }
}

function fillItem(item: OutputItem, stream: ItemStream): void {
  const { send, count, rule } = stream
  switch (item.type) {
    case 'message':
      fillMessage(item, stream)
      return
    case 'reasoning':
      fillReasoning(item, stream)
      return
    case 'web_search_call':
      for (const step of ['in_progress', 'searching', 'completed']) send(`response.web_search_call.${step}`)
      return
    case 'function_call': {
      const written = textOf(item.arguments)
      count(rule.tokensOf(textOf(item.name)) + rule.tokensOf(written))
      for (const delta of piecesOfText(written)) send('response.function_call_arguments.delta', { delta })
      send('response.function_call_arguments.done', { name: item.name, arguments: written })
      return
    }
    case 'custom_tool_call': {
      const input = textOf(item.input)
      count(rule.tokensOf(textOf(item.name)) + rule.tokensOf(input))
      for (const delta of piecesOfText(input)) send('response.custom_tool_call_input.delta', { delta })
      send('response.custom_tool_call_input.done', { input })
      return
    }
    default:
      count(rule.tokensOf(JSON.stringify(item)))
  }
}

function fillMessage(item: OutputItem, { send, count, rule, textPieces }: ItemStream): void {
  const part = objectsOf(item.content)[0]!
  const text = textOf(part.text)
  send('response.content_part.added', { content_index: 0, part: { ...part, text: '' } })
  for (const delta of piecesOfText(text, textPieces)) {
    count(rule.tokensOf(delta))
    send('response.output_text.delta', { content_index: 0, delta, logprobs: [] })
  }
  send('response.output_text.done', { content_index: 0, text, logprobs: [] })
  send('response.content_part.done', { content_index: 0, part })
}

function fillReasoning(item: OutputItem, { send }: ItemStream): void {
  const part = objectsOf(item.summary)[0]!
  const text = textOf(part.text)
  send('response.reasoning_summary_part.added', { summary_index: 0, part: { type: 'summary_text', text: '' } })
  for (const delta of piecesOfText(text)) send('response.reasoning_summary_text.delta', { summary_index: 0, delta })
  send('response.reasoning_summary_text.done', { summary_index: 0, text })
  send('response.reasoning_summary_part.done', { summary_index: 0, part })
}
