import { createHash, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32
const LIVES_MS = 5 * 60_000
const MOST_OPEN = 100

/** One-time tokens for the person who sees the output of `stint serve`. */
export interface SignInLinks {
  create(): string
  /** Whether a token is good. It is used up by this. */
  take(token: string): boolean
}

/** Tokens are kept as hashes, so that looking one up reveals nothing of another by its timing. */
export function createSignInLinks(nowMs: () => number): SignInLinks {
  const expiries = new Map<string, number>()
  return {
    create() {
      const token = randomBytes(TOKEN_BYTES).toString('base64url')
      expiries.set(hashOf(token), nowMs() + LIVES_MS)
      if (expiries.size > MOST_OPEN) expiries.delete(expiries.keys().next().value!)
      return token
    },
    take(token) {
      const hash = hashOf(token)
      const expiresAtMs = expiries.get(hash)
      expiries.delete(hash)
      return expiresAtMs !== undefined && nowMs() < expiresAtMs
    },
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
