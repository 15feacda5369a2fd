import type { Gate } from './gate.ts'
import type { ProviderRequest } from './provider-request.ts'

/** What the model behind the provider does with one request. */
export interface ProviderTurn {
  readonly text?: string
  /** Called where the request lets the model call tools. A call without an id gets one. */
  readonly toolCalls?: readonly ProviderToolCall[]
  /** What is shown of its thinking, where the request asks for thinking. */
  readonly thinking?: string
  /** What the thinking takes of the budget and of the cap; default: the tokens of `thinking`, or the model's own habit. */
  readonly thinkingTokens?: number
  /** What text and calls take together: the text is drawn out with filler until they do. Default: what they take. */
  readonly outputTokens?: number
  /** Searches that the provider runs itself, as far as the request offers and bounds them. */
  readonly webSearches?: number
  /** What each search brings in; it and the whole prompt are read again after each. Default: 2,000. */
  readonly searchTokens?: number
  /** Calls its tools although it was told not to. */
  readonly disobeys?: boolean
  /** Told to call no tool, it writes its calls into the text, as some models do. */
  readonly strayMarkup?: boolean
  /** Answers although the tools are gone from a conversation that used them; without it such an answer is empty. */
  readonly answersWithoutTools?: boolean
  /** Writes text until the cap stops it, instead of `text` and `toolCalls`. */
  readonly fillsCap?: boolean
  /** Writes everything, whatever the cap says: a provider that ignores its own. */
  readonly ignoresCap?: boolean
  /** Says that the cap has cut the answer, whatever is in it. */
  readonly isCutByCap?: boolean
  /** What is said about the usage. The book has what was really used, whatever is said. */
  readonly usage?: UsageReport
  readonly fault?: ProviderFault
  /** Waited for before the first byte. */
  readonly startGate?: Gate
  /** Waited for before each piece: an event of a stream, a quarter of a JSON body. */
  readonly pieceGate?: Gate
  /** Sends its bytes in chunks of this size, whatever that cuts in two. */
  readonly chunkBytes?: number
}

export interface ProviderToolCall {
  readonly id?: string
  readonly name: string
  readonly arguments: unknown
}

/**
 * `repeated`: a stream says it twice. `cumulative`: a stream says it after each part, counting up; the last is right.
 * `negative`: the output is below zero. `raw`: this value in its place, whatever it is.
 */
export type UsageReport = 'counted' | 'missing' | 'negative' | 'repeated' | 'cumulative' | { readonly raw: unknown }

/** What goes wrong. `afterPieces` counts as for `pieceGate`; default: after half of them. */
export type ProviderFault =
  /** Before the first byte of an answer. */
  | {
      readonly kind: 'status'
      readonly status: number
      readonly message?: string
      readonly type?: string
      readonly code?: string
      readonly retryAfterSeconds?: number
    }
  /** The connection ends without an answer. */
  | { readonly kind: 'no-answer' }
  /** The headers come, and nothing else until the client goes away. */
  | { readonly kind: 'headers-only' }
  /** The connection ends in the middle. */
  | { readonly kind: 'cut'; readonly afterPieces?: number }
  /** Nothing more comes until the gate opens; without one until the client goes away. */
  | { readonly kind: 'stall'; readonly afterPieces?: number; readonly until?: Gate }
  /** The stream brings an error and ends. A JSON answer is that error, with its status. */
  | { readonly kind: 'error-event'; readonly afterPieces?: number; readonly status?: number; readonly message?: string }

/** Turns in order, or what to do with each request. */
export type ProviderScript =
  | readonly ProviderTurn[]
  | ((request: ProviderRequest) => ProviderTurn | Promise<ProviderTurn>)
