import type { Answer } from '../contract.ts'
import type { ServerContext } from '../server-context.ts'
import type { Caller } from '../session/caller.ts'

/** What a caller sees about itself. */
export function sessionView(
  { version, starter, upstreams }: ServerContext,
  { by, role, scopeId, expiresAtMs }: Caller,
): Answer<'GET /api/session'> {
  return { by, role, scopeId, expiresAtMs, version, agents: role === 'admin' ? starter.agents : null, upstreams }
}
