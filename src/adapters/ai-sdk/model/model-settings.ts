import type { EstimateMode, Phase } from '../../../pricing/index.ts'
import type { TokenCountRequest } from './token-count-request.ts'

/** How the calls of a model are counted. */
export interface ModelSettings {
  /** The phase whose meter the cost counts on, beside `cost`. Default: `execution`. */
  readonly phase?: Phase
  /** Whether the input is estimated with a margin (`tight`, the default) or bounded by its bytes (`strict`). */
  readonly input?: EstimateMode
  /** Tools that the provider runs and no request can bound stay in it, though a limit counts them. Default: no. */
  readonly allowsUnboundedTools?: boolean
  /**
   * Asks the provider how many tokens a request has; `null` where it does not say. Called at most once for each call of
   * the model, before that is refused, closed or cut short because of an estimate. Not a model call.
   */
  readonly countTokens?: (request: TokenCountRequest) => Promise<number | null>
  /** Where an untrusted file names the model. Without a price it is then refused under any cost limit. */
  readonly namedBy?: string
}
