import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import { KEY_ROLES } from '../../core/index.ts'
import type { SigningSecret } from './signing-secret.ts'

const TOKEN_BYTES = 32
const LONGEST_TOKEN = 100
// A page on another port of this host may set cookies of our name: the right one is looked for among them.
const MOST_COOKIES = 10
const MOST_ENDED = 10_000

const PAYLOAD = z.object({
  id: z.string(),
  by: z.string(),
  role: z.enum(KEY_ROLES),
  scopeId: z.nullable(z.string()),
  /** The hash of the key it was opened with; `null`: a link. */
  keyHash: z.nullable(z.string()),
  expiresAtMs: z.int(),
  /** SHA-256 of the second token, without which the cookie is worth nothing. */
  tokenHash: z.string(),
})

export type Session = z.output<typeof PAYLOAD>

/** What a browser gets when it signs in. */
export interface OpenedSession {
  readonly session: Session
  /** The value of the cookie. */
  readonly cookie: string
  /** The second token, for the page. */
  readonly token: string
}

export interface Sessions {
  open(who: Omit<Session, 'id' | 'tokenHash'>): Promise<OpenedSession>
  /** The session of a cookie and its second token; `null` if they do not belong together, or it has ended. */
  find(cookies: readonly string[], token: string): Promise<Session | null>
  /** Ends a session at this server; its cookie is taken away from the browser anyway. */
  end(session: Pick<Session, 'id'>): void
}

/**
 * Sessions of browsers. All there is to one is in its signed cookie, so that every replica knows it and a restart ends
 * none.
 */
export function createSessions(secret: SigningSecret, nowMs: () => number): Sessions {
  const ended = new Set<string>()

  async function verified(cookie: string, again: boolean): Promise<Session | null> {
    const [payload = '', signature = '', ...rest] = cookie.split('.')
    if (rest.length > 0) return null
    const wanted = signatureOf(await secret.read({ again }), payload)
    const given = Buffer.from(signature, 'base64url')
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null
    const read = PAYLOAD.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')))
    return read.success ? read.data : null
  }

  async function findOnce(cookies: readonly string[], token: string, again: boolean): Promise<Session | null> {
    const tokenHash = Buffer.from(hashOf(token))
    for (const cookie of cookies.slice(0, MOST_COOKIES)) {
      const session = await verified(cookie, again)
      if (session === null || session.expiresAtMs <= nowMs() || ended.has(session.id)) continue
      const own = Buffer.from(session.tokenHash)
      if (own.length === tokenHash.length && timingSafeEqual(own, tokenHash)) return session
    }
    return null
  }

  return {
    async open(who) {
      const token = randomBytes(TOKEN_BYTES).toString('base64url')
      const session = { ...who, id: randomBytes(12).toString('base64url'), tokenHash: hashOf(token) }
      const payload = Buffer.from(JSON.stringify(session)).toString('base64url')
      const signature = signatureOf(await secret.read(), payload).toString('base64url')
      return { session, cookie: `${payload}.${signature}`, token }
    },
    async find(cookies, token) {
      if (cookies.length === 0 || token === '' || token.length > LONGEST_TOKEN) return null
      return (await findOnce(cookies, token, false)) ?? findOnce(cookies, token, true)
    },
    end({ id }) {
      ended.add(id)
      if (ended.size > MOST_ENDED) ended.delete(ended.values().next().value!)
    },
  }
}

function signatureOf(secret: Buffer, payload: string): Buffer {
  return createHmac('sha256', secret).update(payload).digest()
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
