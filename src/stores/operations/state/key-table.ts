import type { KeyRecord } from '../../../core/index.ts'
import type { KeyTable } from './ledger.ts'

// Revoked keys are kept for display. Beyond this number the oldest are dropped; they stay invalid.
const REVOKED_KEPT = 1_000
const MOST_LISTED = 10_000

export interface MemoryKeyTable extends KeyTable {
  forgetScope(scopeId: string): void
}

/** Keys in memory, indexed by id and by hash. */
export function createKeyTable(): MemoryKeyTable {
  const keys = new Map<string, KeyRecord>()
  const ids = new Map<string, string>()
  const revoked = new Set<string>()

  function forget({ id, hash }: KeyRecord): void {
    keys.delete(id)
    ids.delete(hash)
    revoked.delete(id)
  }

  return {
    get: (id) => keys.get(id),
    set(key) {
      keys.set(key.id, key)
      ids.set(key.hash, key.id)
      if (key.revokedAtMs !== null) revoked.add(key.id)
      const [oldest] = revoked
      if (revoked.size > REVOKED_KEPT) forget(keys.get(oldest!)!)
    },
    byHash: (hash) => keys.get(ids.get(hash) ?? ''),
    list: ({ scopeId, most = MOST_LISTED }) =>
      [...keys.values()]
        .filter((key) => (scopeId ?? key.scopeId) === key.scopeId)
        .toSorted((left, right) => left.createdAtMs - right.createdAtMs || (left.id < right.id ? -1 : 1))
        .slice(0, most),
    forgetScope(scopeId) {
      for (const key of [...keys.values()]) if (key.scopeId === scopeId) forget(key)
    },
  }
}
