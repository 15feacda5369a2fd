import * as z from 'zod/mini'
import { list, time } from './fields.ts'
import { role } from './keys.ts'

/** Who is signed in, and what they may do. */
export const session = z.object({
  /** The name in the journal. */
  by: z.string(),
  role,
  /** Only this scope and what is below it can be seen; `null`: everything. */
  scopeId: z.nullable(z.string()),
  /** When it ends; `null` for a key without an expiry date. */
  expiresAtMs: z.nullable(time),
  version: z.string(),
  /** The agents that can be started here; `null` if starting runs is off. */
  agents: z.nullable(list(z.string())),
  /** Which of the gateway's upstreams are configured. */
  upstreams: list(z.string()),
})

/**
 * `token` goes into sessionStorage and into the header `x-stint-session` of every request. The cookie that comes with it
 * is worth nothing without it.
 */
export const startedSession = z.extend(session, { token: z.string() })

/** `link`: the one-time token from the fragment of the printed address. `key`: an API key. */
export const credentials = z.union([
  z.strictObject({ link: z.string().check(z.maxLength(200)) }),
  z.strictObject({ key: z.string().check(z.maxLength(200)) }),
])
