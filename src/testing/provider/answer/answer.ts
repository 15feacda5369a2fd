import type { CountedUsage } from '../counting/counted-usage.ts'
import type { OfferedTool, ProviderRequest } from '../provider-request.ts'
import type { UsageReport } from '../provider-turn.ts'

/** What the provider will send, independent of the dialect. */
export interface Answer {
  readonly request: ProviderRequest
  /** The prefix of this answer's ids; unique. */
  readonly serial: string
  readonly createdAtSeconds: number
  readonly choices: readonly AnswerChoice[]
  readonly usage: CountedUsage
  readonly report: UsageReport
}

export interface AnswerChoice {
  readonly thinking: { readonly text: string; readonly tokens: number } | null
  readonly webSearches: number
  readonly text: string
  /** The number of pieces of a streamed text. Default: a few, and more for a long one. */
  readonly textPieces?: number
  readonly toolCalls: readonly AnswerToolCall[]
  readonly stop: 'end' | 'tool-calls' | 'length'
}

export interface AnswerToolCall {
  /** From the script; `null`: the dialect generates one. */
  readonly id: string | null
  readonly name: string
  readonly kind: OfferedTool['kind']
  /** JSON; for a custom tool, its plain input. */
  readonly arguments: string
}

/** A piece of a stream, and how much output has been written with it. */
export interface StreamPiece {
  readonly text: string
  readonly outputTokens: number
}
