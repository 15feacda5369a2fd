import type { Streams } from './live/streams.ts'
import type { ServerContext } from './server-context.ts'
import type { Identification } from './session/identify.ts'
import type { CookieOptions } from './session/session-cookie.ts'

/** A server that listens: what its requests share, and what depends on its address. */
export interface Server {
  readonly context: ServerContext
  readonly identification: Identification
  readonly cookie: CookieOptions
  /** Whether one-time links are taken: only where other machines cannot reach it. */
  readonly takesLinks: boolean
  readonly streams: Streams
}
