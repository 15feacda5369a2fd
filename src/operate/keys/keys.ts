import { randomUUID } from 'node:crypto'
import { type AddKeyRequest, isEnded, type KeyRecord, type ScopeReading, StintError } from '../../core/index.ts'
import { findById } from '../find/find-by-id.ts'
import type { LedgerReader, Operator } from '../operator.ts'
import { refuseServerScope, SERVER_SCOPE_ID } from './server-scope.ts'

const MOST_KEYS = 10_000

export interface KeyList {
  readonly keys: readonly KeyRecord[]
  readonly isTruncated: boolean
}

/** Every key, earliest first. */
export async function listKeys({ store }: LedgerReader): Promise<KeyList> {
  const keys = await store.keys({ most: MOST_KEYS })
  return { keys, isTruncated: keys.length >= MOST_KEYS }
}

/** The key with this id, or with an id that starts so. */
export async function findKey(reader: LedgerReader, text: string): Promise<KeyRecord> {
  const { keys } = await listKeys(reader)
  return findById(keys, text, { code: 'unknown_key', what: 'key', remedy: '`stint keys list` lists them.' })
}

/** Creates a key that spends from a scope. Only its hash is known here. */
export async function createKey(
  { store, by, nowMs }: Operator,
  { id: scopeId, path, status }: ScopeReading,
  key: Pick<AddKeyRequest, 'hash' | 'name' | 'role' | 'expiresAtMs'>,
): Promise<KeyRecord> {
  const ended = (): StintError => new StintError('scope_closed', `"${path}" has ended: a key for it would be useless.`)
  if (key.role === undefined) refuseServerScope(scopeId)
  if (isEnded(status)) throw ended()
  const outcome = await store.addKey({ keyId: randomUUID(), scopeId, ...key, by, atMs: nowMs() })
  if (outcome.kind === 'closed') throw ended()
  if (outcome.kind !== 'added') throw new Error('the new key already exists')
  return outcome.key
}

export interface RevokedKey {
  readonly key: KeyRecord
  /** `false`: it was revoked before. */
  readonly isNew: boolean
}

/** Revokes a key. */
export async function revokeKey({ store, by, nowMs }: Operator, { id }: KeyRecord): Promise<RevokedKey> {
  const outcome = await store.revokeKey({ keyId: id, by, atMs: nowMs() })
  if (outcome.kind === 'unknown') throw new StintError('unknown_key', `The key ${id} no longer exists.`)
  return { key: outcome.key, isNew: outcome.kind === 'revoked' }
}

function stateOf({ revokedAtMs, expiresAtMs }: KeyRecord, nowMs: number): 'good' | 'expired' | 'revoked' {
  if (revokedAtMs !== null) return 'revoked'
  return expiresAtMs !== null && expiresAtMs <= nowMs ? 'expired' : 'good'
}

/** A key: KEY in docs/reference/cli.md. Not even its hash is shown. A key to everything has no scope. */
export function keyView(key: KeyRecord, nowMs: number) {
  const { hash: _, role = null, scopeId, scopePath, ...shown } = key
  const scope = scopeId === SERVER_SCOPE_ID ? { scopeId: null, scopePath: null } : { scopeId, scopePath }
  return { ...shown, ...scope, role, state: stateOf(key, nowMs) }
}

export function keyListView({ keys, isTruncated }: KeyList, nowMs: number) {
  return { keys: keys.map((key) => keyView(key, nowMs)), isTruncated }
}
