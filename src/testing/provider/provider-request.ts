import type { IncomingHttpHeaders } from 'node:http'
import type { JsonObject } from './json/json-value.ts'

export type ProviderDialectName = 'anthropic-messages' | 'openai-chat' | 'openai-responses'

/** A valid request, independent of the dialect, for scripts to decide by. */
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
  /** The cap of each choice: the request's, or the model's own. */
  readonly cap: number
  readonly choices: number
  /** Tools that the client runs. */
  readonly tools: readonly OfferedTool[]
  readonly toolChoice: 'auto' | 'none' | 'required' | { readonly name: string }
  /** The tools that the model may call (OpenAI's `allowed_tools`); `null`: all offered ones. */
  readonly allowedTools: readonly string[] | null
  /** Whether there are tools, and the request allows them. */
  readonly mayCallTools: boolean
  /** Whether an answer may have more than one call. */
  readonly isParallel: boolean
  /** `null`: no thinking requested. */
  readonly thinking: { readonly budgetTokens: number } | null
  /** The schema of the answer's text; `null`: none. */
  readonly schema: JsonObject | null
  /** The number of searches that the provider may run. */
  readonly maxWebSearches: number
  /** How many answers in the conversation called tools. */
  readonly toolRounds: number
  readonly toolResults: readonly { readonly toolCallId: string; readonly text: string }[]
  /** The last user message. */
  readonly userText: string
  readonly prompt: readonly PromptPart[]
  /** OpenAI's Responses: the conversation so far, including what the provider has stored. */
  readonly conversation?: readonly JsonObject[]
}

/** What a request says about its tools. */
export type ReadTools = Pick<ProviderRequest, 'tools' | 'toolChoice' | 'allowedTools' | 'isParallel' | 'maxWebSearches'>

export interface OfferedTool {
  readonly name: string
  /** The kind of its calls: OpenAI's Responses have several. */
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
