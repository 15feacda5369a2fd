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

/** A message of a conversation, in no provider's form. */
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
  /** How often the provider may search the web itself for this request. Default: never. */
  readonly maxWebSearches?: number
  readonly signal?: AbortSignal
}

export interface ScriptedAnswer {
  readonly text: string
  readonly toolCalls: readonly ScriptedToolCall[]
  /** `null` where the script says that none is reported. */
  readonly usage: Usage | null
  /** `length`: the output cap cut it. */
  readonly stop: 'end' | 'tool-calls' | 'length'
  /** The searches that the provider ran for it. */
  readonly webSearches: number
  /** Its connection ends in the middle: this is what arrived until then. */
  readonly breaksOff: boolean
}

/** What the model does at one call. */
export interface ScriptedTurn {
  readonly text?: string
  /** A call without an id gets one. */
  readonly toolCalls?: readonly { readonly id?: string; readonly name: string; readonly arguments: unknown }[]
  /** Thinks first, within its thinking budget; what that takes of the cap is missing for the answer. */
  readonly thinkingTokens?: number
  /** Reported instead of what the model counts itself; `null`: it reports nothing. */
  readonly usage?: Partial<Usage> | null
  /** Fails instead of answering. Nothing is billed unless `usage` says so. */
  readonly error?: { readonly status: number; readonly message: string }
  /** Searches the web so often, as far as the request allows. The whole prompt is read again after each search. */
  readonly webSearches?: number
  /** What each search brings in. Default: 2,000. */
  readonly searchTokens?: number
  /** The connection ends in the middle of the answer. It is billed whole. */
  readonly breaksOff?: boolean
  /** Answers although the tools are gone from a conversation that used them; without it such an answer is empty. */
  readonly answersWithoutTools?: boolean
  /** How long it takes, by the model's clock. */
  readonly delayMs?: number
  /** Writes everything, whatever the cap says: a provider that ignores its own. */
  readonly ignoreCap?: boolean
  /** Asked for no tools, it writes its tool calls into the text, as some models do. */
  readonly strayMarkup?: boolean
}

/**
 * The turns in order. As a generator function it is given the first request, and each `yield` gives it the next one, so
 * that it can answer what it was asked.
 */
export type Script =
  | readonly ScriptedTurn[]
  | ((first: ScriptedRequest) => Generator<ScriptedTurn, unknown, ScriptedRequest>)
