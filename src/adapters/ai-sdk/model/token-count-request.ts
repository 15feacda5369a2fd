import type { CallOptions } from './language-model.ts'

/** A request to a model as it would be sent, without its output cap. */
export interface TokenCountRequest {
  readonly provider: string
  readonly modelId: string
  readonly options: CallOptions
  /** Aborted after 2 seconds, when the count would be too late. */
  readonly signal: AbortSignal
}
