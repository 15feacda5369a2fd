import type { Usage } from '../pricing/index.ts'

export interface ScriptedToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: unknown
}

/** A message of a conversation, in no provider's form. */
export type ScriptedMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ScriptedToolCall[] }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string }

export interface ScriptedRequest {
  readonly messages: readonly ScriptedMessage[]
  readonly tools?: readonly { readonly name: string; readonly [field: string]: unknown }[]
  readonly toolChoice?: 'auto' | 'none' | 'required'
  /** The output cap, thinking included. Default: the model's own. */
  readonly maxOutputTokens?: number
  readonly thinking?: { readonly budgetTokens: number } | null
  readonly signal?: AbortSignal
}

export interface ScriptedAnswer {
  readonly text: string
  readonly toolCalls: readonly ScriptedToolCall[]
  /** `null` where the script says that none is reported. */
  readonly usage: Usage | null
  /** `length`: the output cap cut it. */
  readonly stop: 'end' | 'tool-calls' | 'length'
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
