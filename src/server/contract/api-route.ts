import type * as z from 'zod/mini'
import type { KeyRole } from '../../core/index.ts'

/**
 * Whom an address can show what: `public` needs no session; `everything` is refused to callers bound to a scope;
 * `within` shows them only their scope and what is below it, and anything else as if it did not exist.
 */
export type Reach = 'public' | 'everything' | 'within'

/** One address of the API. The router, `/openapi.json`, the reference and the client's types are made from these. */
export interface ApiRoute {
  readonly summary: string
  /** The least role that may call it; `null`: anyone. */
  readonly role: KeyRole | null
  readonly reach: Reach
  /** Refused to a browser's session. */
  readonly onlyKeys?: true
  /** What may follow the question mark: numbers and texts. */
  readonly query?: z.ZodMiniObject
  readonly body?: z.ZodMiniType
  /** `stream`: server-sent events, as in STREAM. `text`: plain text. */
  readonly answer: z.ZodMiniType | 'stream' | 'text'
}

/** The addresses, by method and path; a segment that begins with a colon is a parameter. */
export type ApiRoutes = Readonly<Record<`${'GET' | 'POST'} /${string}`, ApiRoute>>
