import {
  type AddKeyOutcome,
  type AddKeyRequest,
  isEnded,
  type KeyRecord,
  type RevokeKeyOutcome,
  type RevokeKeyRequest,
  storableTextOrNull,
} from '../../core/index.ts'
import { type Ledger, scopeIn } from './state/ledger.ts'

/** Adds a key to a scope, once per id. */
export function addKey(ledger: Ledger, request: AddKeyRequest): AddKeyOutcome {
  const { keyId, scopeId, hash, name = null, role, expiresAtMs = null, by, atMs } = request
  const scope = scopeIn(ledger, scopeId)
  const known = ledger.keys.get(keyId)
  if (known !== undefined) {
    const isSame = known.hash === hash && known.scopeId === scopeId && known.role === role
    return isSame ? { kind: 'duplicate', key: known } : { kind: 'conflict' }
  }
  if (ledger.keys.byHash(hash) !== undefined) return { kind: 'conflict' }
  if (isEnded(scope.status)) return { kind: 'closed', scopeId }
  const made = {
    id: keyId,
    scopeId,
    scopePath: scope.path,
    hash,
    name,
    // Left out of keys without one, whose entries in the journal are as before.
    ...(role === undefined ? {} : { role }),
    createdBy: storableTextOrNull(by),
    createdAtMs: atMs,
  }
  const key: KeyRecord = { ...made, expiresAtMs, revokedBy: null, revokedAtMs: null }
  keepKey(ledger, key, atMs)
  return { kind: 'added', key }
}

/** Revokes a key. Revoking it again changes nothing. */
export function revokeKey(ledger: Ledger, { keyId, by, atMs }: RevokeKeyRequest): RevokeKeyOutcome {
  const known = ledger.keys.get(keyId)
  if (known === undefined) return { kind: 'unknown' }
  if (known.revokedAtMs !== null) return { kind: 'duplicate', key: known }
  const key: KeyRecord = { ...known, revokedBy: storableTextOrNull(by), revokedAtMs: atMs }
  keepKey(ledger, key, atMs)
  return { kind: 'revoked', key }
}

function keepKey(ledger: Ledger, key: KeyRecord, at: number): void {
  const kind = key.revokedAtMs === null ? 'key-added' : 'key-revoked'
  ledger.keys.set(key)
  ledger.changes?.key(key)
  ledger.changes?.append(scopeIn(ledger, key.scopeId), { kind, at, key })
}
