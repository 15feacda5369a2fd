import type { Gate } from './gate.ts'
import type { ProviderRequest } from './provider-request.ts'

/** What the provider's model does with one request. */
export interface ProviderTurn {
  readonly text?: string
  /** Made if the request allows tools. A call without an id gets one. */
  readonly toolCalls?: readonly ProviderToolCall[]
  /** The visible thinking, if the request asks for thinking. */
  readonly thinking?: string
  /** The tokens of thinking, from the budget and the cap. Default: the tokens of `thinking`, or the model's default. */
  readonly thinkingTokens?: number
  /** The total tokens of text and calls: the text is padded with filler. Default: without filler. */
  readonly outputTokens?: number
  /** The number of searches that the provider runs, as far as the request allows. */
  readonly webSearches?: number
  /** The tokens that each search adds; they and the whole prompt are read again after each. Default: 2,000. */
  readonly searchTokens?: number
  /** Calls tools even if the request forbids it. */
  readonly disobeys?: boolean
  /** When tools are forbidden, writes its calls into the text, as some models do. */
  readonly strayMarkup?: boolean
  /** Answers a conversation with tool calls even without the tools; by default that answer is empty. */
  readonly answersWithoutTools?: boolean
  /** Writes text until the cap stops it, instead of `text` and `toolCalls`. */
  readonly fillsCap?: boolean
  /** Ignores the output cap, as a faulty provider might. */
  readonly ignoresCap?: boolean
  /** Reports that the cap has cut the answer, even if it hasn't. */
  readonly isCutByCap?: boolean
  /** How usage is reported. The book always has the real usage. */
  readonly usage?: UsageReport
  readonly fault?: ProviderFault
  /** Awaited before the first byte. */
  readonly startGate?: Gate
  /** Awaited before each piece: an event of a stream, a quarter of a JSON body. */
  readonly pieceGate?: Gate
  /** Sends its bytes in chunks of this size, even if that splits characters or events. */
  readonly chunkBytes?: number
}

export interface ProviderToolCall {
  readonly id?: string
  readonly name: string
  readonly arguments: unknown
}

/**
 * `repeated`: a stream reports it twice. `cumulative`: a stream reports it after each part, counting up; the last is
 * right. `negative`: the output is below zero. `raw`: this value instead, whatever it is.
 */
export type UsageReport = 'counted' | 'missing' | 'negative' | 'repeated' | 'cumulative' | { readonly raw: unknown }

/** A fault. `afterPieces` counts pieces as `pieceGate` does; default: half of them. */
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
  /** Sends the headers, and then nothing until the client disconnects. */
  | { readonly kind: 'headers-only' }
  /** The connection ends in the middle. */
  | { readonly kind: 'cut'; readonly afterPieces?: number }
  /** Stalls until the gate opens, or else until the client disconnects. */
  | { readonly kind: 'stall'; readonly afterPieces?: number; readonly until?: Gate }
  /** The stream sends an error and ends. A JSON answer is that error, with its status. */
  | { readonly kind: 'error-event'; readonly afterPieces?: number; readonly status?: number; readonly message?: string }

/** Turns in order, or a function of each request. */
export type ProviderScript =
  | readonly ProviderTurn[]
  | ((request: ProviderRequest) => ProviderTurn | Promise<ProviderTurn>)
