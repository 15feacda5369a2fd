import type { IncomingHttpHeaders } from 'node:http'
import { ANTHROPIC_MESSAGES } from '../dialects/anthropic-messages/index.ts'
import { OPENAI_CHAT } from '../dialects/openai-chat/index.ts'
import { OPENAI_RESPONSES } from '../dialects/openai-responses/index.ts'
import type { ProviderDialect } from '../dialects/provider-dialect.ts'

export interface Route {
  readonly kind: 'answer' | 'count-tokens' | 'models' | 'model' | 'unknown'
  readonly dialect: ProviderDialect
}

const ROUTES: Readonly<Record<string, Route>> = {
  'POST /v1/messages': { kind: 'answer', dialect: ANTHROPIC_MESSAGES },
  'POST /v1/messages/count_tokens': { kind: 'count-tokens', dialect: ANTHROPIC_MESSAGES },
  'POST /v1/chat/completions': { kind: 'answer', dialect: OPENAI_CHAT },
  'POST /v1/responses': { kind: 'answer', dialect: OPENAI_RESPONSES },
  'POST /v1/responses/input_tokens': { kind: 'count-tokens', dialect: OPENAI_RESPONSES },
}

/** The route of a request. Headers distinguish routes that both providers have. */
export function routeOf(method: string, target: string, headers: IncomingHttpHeaders): Route {
  const path = target.split('?')[0]!
  const route = ROUTES[`${method} ${path}`]
  if (route !== undefined) return route
  const isAnthropic = headers['anthropic-version'] !== undefined || headers['x-api-key'] !== undefined
  const dialect = isAnthropic || path.startsWith('/v1/messages') ? ANTHROPIC_MESSAGES : OPENAI_CHAT
  if (method === 'GET' && path === '/v1/models') return { kind: 'models', dialect }
  if (method === 'GET' && path.startsWith('/v1/models/')) return { kind: 'model', dialect }
  return { kind: 'unknown', dialect }
}
