import type { KeyRecord } from '../../core/index.ts'
import type { KeyShelf } from './ledger.ts'

// Revoked keys are kept to be shown; the oldest of more are forgotten, and open nothing all the same.
const REVOKED_KEPT = 1_000
const MOST_LISTED = 10_000

export interface MemoryKeyShelf extends KeyShelf {
  forgetScope(scopeId: string): void
}

/** Keys in memory, found by their id and by their hash. */
export function createKeyShelf(): MemoryKeyShelf {
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
