import type { Answer, AnswerChoice } from '../../answer/answer.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { usageOf } from './usage.ts'

/** The answer in one piece. */
export function answerBody(answer: Answer): JsonObject {
  return {
    ...completionHead(answer, 'chat.completion'),
    choices: answer.choices.map((choice, index) => ({
      index,
      message: messageOf(answer, choice, index),
      logprobs: null,
      finish_reason: finishReasonOf(choice),
    })),
    ...usageOf(answer, answer.usage.outputTokens),
  }
}

/** The common fields of an answer and its chunks. */
export function completionHead({ serial, createdAtSeconds, request }: Answer, object: string): JsonObject {
  return {
    id: `chatcmpl-${serial}`,
    object,
    created: createdAtSeconds,
    model: request.model,
    service_tier: 'default',
    system_fingerprint: 'fp_scripted',
  }
}

/** The id of a call; each choice has its own ids. */
export function callIdOf({ serial }: Answer, choice: AnswerChoice, index: number, at: number): string {
  const own = choice.toolCalls[at]?.id ?? null
  if (own !== null) return index === 0 ? own : `${own}_${index + 1}`
  return `call_${serial}_${index + 1}_${at + 1}`
}

/** The finish reason. */
export function finishReasonOf({ stop, toolCalls }: AnswerChoice): string {
  if (stop === 'tool-calls') return toolCalls[0]?.kind === 'legacy-function' ? 'function_call' : 'tool_calls'
  return stop === 'length' ? 'length' : 'stop'
}

function messageOf(answer: Answer, choice: AnswerChoice, index: number): JsonObject {
  const { text, toolCalls } = choice
  const head = { role: 'assistant', content: text === '' && toolCalls.length > 0 ? null : text, refusal: null }
  if (toolCalls.length === 0) return { ...head, annotations: [] }
  if (toolCalls[0]!.kind === 'legacy-function') {
    return { ...head, function_call: { name: toolCalls[0]!.name, arguments: toolCalls[0]!.arguments } }
  }
  return {
    ...head,
    tool_calls: toolCalls.map((call, at) => ({
      id: callIdOf(answer, choice, index, at),
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    })),
    annotations: [],
  }
}
