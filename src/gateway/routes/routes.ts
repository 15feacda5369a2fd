import type { DialectName } from '../dialects/dialect.ts'
import type { Upstreams } from '../gateway.ts'

/**
 * `call`: a model answers, and is paid. `count`, `list`: nothing is generated, but only callers with budget may ask.
 */
export type RouteKind = 'call' | 'count' | 'list'

export interface Route {
  readonly method: 'GET' | 'POST'
  /** As the client calls it, after the key. */
  readonly path: string
  readonly upstream: keyof Upstreams
  /** Appended to the base URL of the upstream. */
  readonly target: string
  readonly kind: RouteKind
  /** The dialect of its errors; for a `call`, also how it is read. */
  readonly dialect: DialectName
}

/** Everything that the gateway serves. Anything else is refused. */
export const ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/anthropic/v1/messages',
    upstream: 'anthropic',
    target: '/v1/messages',
    kind: 'call',
    dialect: 'anthropic-messages',
  },
  {
    method: 'POST',
    path: '/anthropic/v1/messages/count_tokens',
    upstream: 'anthropic',
    target: '/v1/messages/count_tokens',
    kind: 'count',
    dialect: 'anthropic-messages',
  },
  {
    method: 'GET',
    path: '/anthropic/v1/models',
    upstream: 'anthropic',
    target: '/v1/models',
    kind: 'list',
    dialect: 'anthropic-messages',
  },
  {
    method: 'POST',
    path: '/openai/v1/chat/completions',
    upstream: 'openai',
    target: '/chat/completions',
    kind: 'call',
    dialect: 'openai-chat',
  },
  {
    method: 'POST',
    path: '/openai/v1/responses',
    upstream: 'openai',
    target: '/responses',
    kind: 'call',
    dialect: 'openai-responses',
  },
  {
    method: 'POST',
    path: '/openai/v1/responses/input_tokens',
    upstream: 'openai',
    target: '/responses/input_tokens',
    kind: 'count',
    dialect: 'openai-responses',
  },
  {
    method: 'GET',
    path: '/openai/v1/models',
    upstream: 'openai',
    target: '/models',
    kind: 'list',
    dialect: 'openai-chat',
  },
]
