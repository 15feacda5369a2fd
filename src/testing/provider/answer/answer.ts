import type { CountedUsage } from '../counting/counted-usage.ts'
import type { OfferedTool, ProviderRequest } from '../provider-request.ts'
import type { UsageReport } from '../provider-turn.ts'

/** What the provider will send, before a dialect gives it a form. */
export interface Answer {
  readonly request: ProviderRequest
  /** Ids of this answer begin with it; no two answers have the same. */
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
  /** In how many pieces a stream brings the text. Default: a few, and more for a long one. */
  readonly textPieces?: number
  readonly toolCalls: readonly AnswerToolCall[]
  readonly stop: 'end' | 'tool-calls' | 'length'
}

export interface AnswerToolCall {
  /** As the script says; `null`: the dialect makes one. */
  readonly id: string | null
  readonly name: string
  readonly kind: OfferedTool['kind']
  /** JSON; of a custom tool its plain input. */
  readonly arguments: string
}

/** A piece of a stream, and how much of the output is written with it. */
export interface StreamPiece {
  readonly text: string
  readonly outputTokens: number
}
