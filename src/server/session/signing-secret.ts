import { randomBytes } from 'node:crypto'
import { isPlainObject, type LedgerStore } from '../../core/index.ts'
import { openServerScope, SERVER_SCOPE_ID } from '../../operate/keys/server-scope.ts'

const BYTES = 32
const FORM = /^[A-Za-z0-9_-]{43}$/

/** The secret that sessions are signed with. */
export interface SigningSecret {
  /** `again`: a signature did not match, and another replica may have written its own at the same time. */
  read(options?: { readonly again?: boolean }): Promise<Buffer>
}

// A forged cookie must not cost a read of the ledger each time.
const LOOK_AGAIN_MS = 1_000

/**
 * Reads the secret from the ledger, and makes one if there is none. Of two replicas that begin at the same time, the one
 * that wrote last wins, and the other learns of it with the first signature that does not match.
 */
export function createSigningSecret(
  store: Pick<LedgerStore, 'open' | 'document' | 'note'>,
  nowMs: () => number,
): SigningSecret {
  let known: Promise<Buffer> | null = null
  let lookedAtMs = Number.NEGATIVE_INFINITY

  async function stored(): Promise<Buffer | null> {
    const document = await store.document({ scopeId: SERVER_SCOPE_ID })
    const value: unknown = document === null ? null : JSON.parse(document)
    const secret = isPlainObject(value) ? value.signingSecret : null
    return typeof secret === 'string' && FORM.test(secret) ? Buffer.from(secret, 'base64url') : null
  }

  async function storedOrMade(): Promise<Buffer> {
    await openServerScope(store, nowMs())
    const before = await stored()
    if (before !== null) return before
    const document = JSON.stringify({ signingSecret: randomBytes(BYTES).toString('base64url') })
    await store.note({ scopeId: SERVER_SCOPE_ID, document, atMs: nowMs() })
    return (await stored())!
  }

  return {
    read({ again = false } = {}) {
      if (known !== null && !(again && nowMs() - lookedAtMs >= LOOK_AGAIN_MS)) return known
      lookedAtMs = nowMs()
      const read = storedOrMade()
      known = read
      read.catch(() => {
        if (known === read) known = null
      })
      return read
    },
  }
}
