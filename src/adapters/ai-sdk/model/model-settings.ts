import type { EstimateMode, Phase } from '../../../pricing/index.ts'
import type { TokenCountRequest } from './token-count-request.ts'

/** How the calls of a model are counted. */
export interface ModelSettings {
  /** The phase whose meter the cost counts on, in addition to `cost`. Default: `execution`. */
  readonly phase?: Phase
  /** Whether the input is estimated with a margin (`tight`, the default) or bounded by its bytes (`strict`). */
  readonly input?: EstimateMode
  /** Keeps provider-run tools that no request can bound, even though a limit counts them. Default: no. */
  readonly allowsUnboundedTools?: boolean
  /**
   * Asks the provider how many tokens a request has; `null` if it does not say. Called at most once per model call,
   * before the call is refused, closed or shortened because of an estimate. Not a model call.
   */
  readonly countTokens?: (request: TokenCountRequest) => Promise<number | null>
  /** The untrusted file that names the model, if one does. Without a price, it is then refused under any cost limit. */
  readonly namedBy?: string
}
