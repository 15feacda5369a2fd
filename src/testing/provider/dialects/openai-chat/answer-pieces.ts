import type { Answer, AnswerChoice, StreamPiece } from '../../answer/answer.ts'
import { piecesOfText } from '../../answer/pieces-of-text.ts'
import { createStreamWriter } from '../../answer/stream-writer.ts'
import type { TokenRule } from '../../counting/token-rule.ts'
import { type JsonObject, objectOf } from '../../json/json-value.ts'
import { callIdOf, completionHead, finishReasonOf } from './answer-body.ts'
import { usageOf } from './usage.ts'

/** The answer as a stream. Usage comes in a separate chunk, if the client asks for it. */
export function answerPieces(answer: Answer, rule: TokenRule): readonly StreamPiece[] {
  const writer = createStreamWriter()
  const head = completionHead(answer, 'chat.completion.chunk')
  const includesUsage = objectOf(answer.request.body.stream_options)?.include_usage === true
  const { outputTokens } = answer.usage

  const chunk = (choices: readonly JsonObject[], usage: JsonObject) => writer.send({ ...head, choices, ...usage })
  // If requested, each chunk has the field, but only the last one has a value. Some providers count up in each.
  const usageSoFar = () =>
    answer.report === 'cumulative' && includesUsage
      ? usageOf(answer, Math.min(writer.outputTokens, outputTokens))
      : includesUsage
        ? { usage: null }
        : {}
  const sendDelta = (index: number, delta: JsonObject, finish_reason: string | null = null) =>
    chunk([{ index, delta, logprobs: null, finish_reason }], usageSoFar())

  answer.choices.forEach((choice, index) => {
    sendDelta(index, {
      role: 'assistant',
      content: choice.text === '' && choice.toolCalls.length > 0 ? null : '',
      refusal: null,
    })
    writer.count(choice.thinking?.tokens ?? 0)
    for (const content of piecesOfText(choice.text, choice.textPieces)) {
      writer.count(rule.tokensOf(content))
      sendDelta(index, { content })
    }
    for (const { delta, tokens } of callDeltas(answer, choice, index, rule)) {
      writer.count(tokens)
      sendDelta(index, delta)
    }
    sendDelta(index, {}, finishReasonOf(choice))
  })
  if (includesUsage && answer.report !== 'missing') {
    chunk([], usageOf(answer, outputTokens))
    if (answer.report === 'repeated') chunk([], usageOf(answer, outputTokens))
  }
  writer.send('[DONE]')
  return writer.pieces
}

interface CallDelta {
  readonly delta: JsonObject
  readonly tokens: number
}

function callDeltas(answer: Answer, choice: AnswerChoice, choiceIndex: number, rule: TokenRule): readonly CallDelta[] {
  return choice.toolCalls.flatMap((call, index): readonly CallDelta[] => {
    const tokens = rule.tokensOf(call.name) + rule.tokensOf(call.arguments)
    const pieces = piecesOfText(call.arguments)
    if (call.kind === 'legacy-function') {
      return [
        { delta: { function_call: { name: call.name, arguments: '' } }, tokens },
        ...pieces.map((piece) => ({ delta: { function_call: { arguments: piece } }, tokens: 0 })),
      ]
    }
    const id = callIdOf(answer, choice, choiceIndex, index)
    const first = { index, id, type: 'function', function: { name: call.name, arguments: '' } }
    return [
      { delta: { tool_calls: [first] }, tokens },
      ...pieces.map((piece) => ({ delta: { tool_calls: [{ index, function: { arguments: piece } }] }, tokens: 0 })),
    ]
  })
}
