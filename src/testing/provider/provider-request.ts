import type { IncomingHttpHeaders } from 'node:http'
import type { JsonObject } from './json/json-value.ts'

export type ProviderDialectName = 'anthropic-messages' | 'openai-chat' | 'openai-responses'

/** A request that was not refused, in no dialect's form: what a script chooses by. */
export interface ProviderRequest {
  /** Counts from 1, over everything that arrived. */
  readonly number: number
  readonly dialect: ProviderDialectName
  readonly headers: IncomingHttpHeaders
  readonly body: JsonObject
  readonly model: string
  readonly isStream: boolean
  /** The output cap of the request; `null`: it has none. */
  readonly askedOutputTokens: number | null
  /** The most that each choice may have: the request's cap, or the model's own. */
  readonly cap: number
  readonly choices: number
  /** Tools that the client runs. */
  readonly tools: readonly OfferedTool[]
  readonly toolChoice: 'auto' | 'none' | 'required' | { readonly name: string }
  /** The names that the request lets the model call (OpenAI's `allowed_tools`); `null`: all that it offers. */
  readonly allowedTools: readonly string[] | null
  /** Whether there are tools, and the request does not forbid them. */
  readonly mayCallTools: boolean
  /** Whether an answer may have more than one call. */
  readonly isParallel: boolean
  /** `null`: the request wants no thinking. */
  readonly thinking: { readonly budgetTokens: number } | null
  /** The schema that the answer's text must have; `null`: none. */
  readonly schema: JsonObject | null
  /** Searches that the provider may run itself. */
  readonly maxWebSearches: number
  /** Answers in the conversation that called tools. */
  readonly toolRounds: number
  readonly toolResults: readonly { readonly toolCallId: string; readonly text: string }[]
  /** What the user said last. */
  readonly userText: string
  readonly prompt: readonly PromptPart[]
  /** OpenAI's responses: everything said so far, what the provider kept included. */
  readonly conversation?: readonly JsonObject[]
}

export interface OfferedTool {
  readonly name: string
  /** How its call looks: OpenAI's responses know several. */
  readonly kind: 'function' | 'legacy-function' | 'custom' | 'local_shell'
  readonly schema: JsonObject
}

/** A piece of the prompt, in the order in which caches see it. */
export interface PromptPart {
  /** Two parts with the same key are the same to a cache. */
  readonly key: string
  readonly tokens: number
  readonly mark: '5m' | '1h' | null
}
