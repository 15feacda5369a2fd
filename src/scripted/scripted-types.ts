import type { Usage } from '../pricing/index.ts'

export interface ScriptedToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: unknown
}

/** An image, a document or a sound in a message. */
export interface ScriptedFile {
  readonly mediaType: string
}

/** A message of a conversation, in a provider-neutral form. */
export type ScriptedMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string; readonly files?: readonly ScriptedFile[] }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ScriptedToolCall[] }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string }

export interface ScriptedRequest {
  readonly messages: readonly ScriptedMessage[]
  readonly tools?: readonly { readonly name: string; readonly [field: string]: unknown }[]
  readonly toolChoice?: 'auto' | 'none' | 'required'
  /** The output cap, thinking included. Default: the model's own. */
  readonly maxOutputTokens?: number
  readonly thinking?: { readonly budgetTokens: number } | null
  /** How often the provider may search the web for this request. Default: never. */
  readonly maxWebSearches?: number
  readonly signal?: AbortSignal
}

export interface ScriptedAnswer {
  readonly text: string
  readonly toolCalls: readonly ScriptedToolCall[]
  /** `null` if the script says that none is reported. */
  readonly usage: Usage | null
  /** `length`: the output cap cut it. */
  readonly stop: 'end' | 'tool-calls' | 'length'
  /** The web searches that the provider ran for it. */
  readonly webSearches: number
  /** The connection ended in the middle: this is what had arrived. */
  readonly breaksOff: boolean
}

/** What the model does in one call. */
export interface ScriptedTurn {
  readonly text?: string
  /** A call without an id gets one. */
  readonly toolCalls?: readonly { readonly id?: string; readonly name: string; readonly arguments: unknown }[]
  /** Tokens of thinking, within the thinking budget. They count toward the cap. */
  readonly thinkingTokens?: number
  /** Reported instead of the model's own count; `null`: nothing is reported. */
  readonly usage?: Partial<Usage> | null
  /** Fails instead of answering. Nothing is billed unless `usage` says so. */
  readonly error?: { readonly status: number; readonly message: string }
  /** The number of web searches, as far as the request allows. The whole prompt is read again after each. */
  readonly webSearches?: number
  /** The tokens that each search adds. Default: 2,000. */
  readonly searchTokens?: number
  /** The connection ends in the middle of the answer, which is billed in full. */
  readonly breaksOff?: boolean
  /** Answers a conversation with tool calls even without the tools; by default that answer is empty. */
  readonly answersWithoutTools?: boolean
  /** How long it takes, by the model's clock. */
  readonly delayMs?: number
  /** Ignores the output cap, as a faulty provider might. */
  readonly ignoreCap?: boolean
  /** When tools are disabled, writes its tool calls into the text, as some models do. */
  readonly strayMarkup?: boolean
}

/**
 * The turns in order. A generator function gets the first request, and the next one from each `yield`, so that it can
 * react to what it is asked.
 */
export type Script =
  | readonly ScriptedTurn[]
  | ((first: ScriptedRequest) => Generator<ScriptedTurn, unknown, ScriptedRequest>)
