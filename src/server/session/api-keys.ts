import type { KeyRecord, KeyRole, KeyStore } from '../../core/index.ts'
import { hashGatewayKey, isApiKey } from '../../gateway/keys/index.ts'
import { SERVER_SCOPE_ID } from '../../operate/keys/server-scope.ts'
import type { Caller } from './caller.ts'

// A revoked key is refused within a second, also in a stream.
const FRESH_MS = 400
const MOST_KEPT = 10_000

interface Look {
  readonly atMs: number
  readonly record: Promise<KeyRecord | null>
}

/** Looks up keys for the HTTP API. */
export interface ApiKeys {
  /** Whose key this is; `null` if it is none, or not good any more. */
  callerOf(key: string): Promise<Caller | null>
  /** The same for the hash of a key. */
  callerOfHash(hash: string): Promise<Caller | null>
}

export function createApiKeys(store: Pick<KeyStore, 'keyByHash'>, nowMs: () => number): ApiKeys {
  const looks = new Map<string, Look>()

  function look(hash: string): Promise<KeyRecord | null> {
    const known = looks.get(hash)
    if (known !== undefined && Math.abs(nowMs() - known.atMs) < FRESH_MS) return known.record
    const record = store.keyByHash({ hash })
    looks.delete(hash)
    looks.set(hash, { atMs: nowMs(), record })
    if (looks.size > MOST_KEPT) looks.delete(looks.keys().next().value!)
    record.catch(() => looks.delete(hash))
    return record
  }

  async function callerOfHash(hash: string): Promise<Caller | null> {
    const record = await look(hash)
    if (record === null || record.role === undefined || record.revokedAtMs !== null) return null
    if (record.expiresAtMs !== null && record.expiresAtMs <= nowMs()) return null
    return callerFrom(record, record.role)
  }

  return {
    callerOfHash,
    callerOf: async (key) => (isApiKey(key) ? callerOfHash(hashGatewayKey(key)) : null),
  }
}

function callerFrom({ id, name, scopeId, expiresAtMs }: KeyRecord, role: KeyRole): Caller {
  return {
    by: `key ${name ?? id}`,
    role,
    scopeId: scopeId === SERVER_SCOPE_ID ? null : scopeId,
    expiresAtMs,
    id: `key ${id}`,
    countedAs: `key ${id}`,
    isBrowser: false,
  }
}
