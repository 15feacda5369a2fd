import type { JsonObject } from '../json/json-value.ts'
import type { PromptPart, ProviderRequest } from '../provider-request.ts'
import { checkContext } from './openai-refusals.ts'
import type { ReadContext } from './provider-dialect.ts'

interface ReadParts<Tools> {
  readonly body: JsonObject
  readonly context: ReadContext
  readonly model: string
  readonly known: {
    readonly maxOutputTokens: number
    readonly contextWindow: number
    readonly reasoningTokens?: number
  }
  readonly askedOutputTokens: number | null
  readonly tools: Tools
  readonly prompt: readonly PromptPart[]
  /** The field of the prompt. */
  readonly promptField: string
}

/** The part of a request that both of OpenAI's dialects share. Throws if the prompt is longer than the context window. */
export function openAiRequest<Tools extends Pick<ProviderRequest, 'tools' | 'toolChoice' | 'allowedTools'>>(
  parts: ReadParts<Tools>,
) {
  const { body, context, model, known, askedOutputTokens, tools, prompt, promptField } = parts
  checkContext(
    prompt.reduce((sum, { tokens }) => sum + tokens, 0),
    known.contextWindow,
    promptField,
  )
  const cap = askedOutputTokens ?? known.maxOutputTokens
  return {
    number: context.number,
    headers: context.headers,
    body,
    model,
    isStream: body.stream === true,
    askedOutputTokens,
    cap,
    ...tools,
    mayCallTools: (tools.allowedTools ?? tools.tools).length > 0 && tools.toolChoice !== 'none',
    thinking: known.reasoningTokens === undefined ? null : { budgetTokens: cap },
    prompt,
  }
}
