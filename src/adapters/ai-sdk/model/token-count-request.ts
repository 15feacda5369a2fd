import type { CallOptions } from './language-model.ts'

/** A request to a model as it would be sent, but for its output cap. */
export interface TokenCountRequest {
  readonly provider: string
  readonly modelId: string
  readonly options: CallOptions
  /** Aborted after 2 seconds: the count comes too late then. */
  readonly signal: AbortSignal
}
