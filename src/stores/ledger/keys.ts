import {
  type AddKeyOutcome,
  type AddKeyRequest,
  assertId,
  assertTime,
  InvalidOptionError,
  isEnded,
  type KeyRecord,
  type RevokeKeyOutcome,
  type RevokeKeyRequest,
} from '../../core/index.ts'
import { type Ledger, scopeIn } from './ledger.ts'

const LONGEST_NAME = 200
const SHA_256 = /^[0-9a-f]{64}$/

/** Adds a key to a scope, once for each id. */
export function addKey(ledger: Ledger, request: AddKeyRequest): AddKeyOutcome {
  const { keyId, scopeId, hash, name = null, expiresAtMs = null, by = null, atMs } = request
  assertId(keyId, 'addKey({ keyId })')
  assertHash(hash)
  assertName(name)
  assertTime(atMs, 'addKey')
  if (expiresAtMs !== null) assertTime(expiresAtMs, 'addKey({ expiresAtMs })')
  const scope = scopeIn(ledger, scopeId)
  const known = ledger.keys.get(keyId)
  if (known !== undefined) {
    const isSame = known.hash === hash && known.scopeId === scopeId
    return isSame ? { kind: 'duplicate', key: known } : { kind: 'conflict' }
  }
  if (ledger.keys.byHash(hash) !== undefined) return { kind: 'conflict' }
  if (isEnded(scope.status)) return { kind: 'closed', scopeId }
  const made = { id: keyId, scopeId, scopePath: scope.path, hash, name, createdBy: by, createdAtMs: atMs }
  const key: KeyRecord = { ...made, expiresAtMs, revokedBy: null, revokedAtMs: null }
  keepKey(ledger, key, atMs)
  return { kind: 'added', key }
}

/** Revokes a key. A second time changes nothing. */
export function revokeKey(ledger: Ledger, { keyId, by = null, atMs }: RevokeKeyRequest): RevokeKeyOutcome {
  assertTime(atMs, 'revokeKey')
  const known = ledger.keys.get(keyId)
  if (known === undefined) return { kind: 'unknown' }
  if (known.revokedAtMs !== null) return { kind: 'duplicate', key: known }
  const key: KeyRecord = { ...known, revokedBy: by, revokedAtMs: atMs }
  keepKey(ledger, key, atMs)
  return { kind: 'revoked', key }
}

function keepKey(ledger: Ledger, key: KeyRecord, at: number): void {
  const kind = key.revokedAtMs === null ? 'key-added' : 'key-revoked'
  ledger.keys.set(key)
  ledger.changes?.key(key)
  ledger.changes?.append(scopeIn(ledger, key.scopeId), { kind, at, key })
}

// What was given is not shown: it may be the key itself, by mistake.
function assertHash(hash: unknown): void {
  if (typeof hash === 'string' && SHA_256.test(hash)) return
  throw new InvalidOptionError('addKey({ hash })', undefined, 'the SHA-256 of the key in hexadecimal')
}

function assertName(name: unknown): void {
  if (name === null || (typeof name === 'string' && name !== '' && name.length <= LONGEST_NAME)) return
  throw new InvalidOptionError('addKey({ name })', name, `text of 1 to ${LONGEST_NAME} characters`)
}
