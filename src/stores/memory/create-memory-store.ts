import type { LedgerStore } from '../../core/index.ts'
import { closeScope } from './close-scope.ts'
import { holdOnPath } from './hold-on-path.ts'
import { createLedger, type MemoryStoreOptions, scopeIn } from './ledger.ts'
import { openScopes } from './open-scopes.ts'
import { readScope } from './read-scope.ts'
import { reserve } from './reserve.ts'
import { rollPath, writeLimits } from './scope-state.ts'
import { assumeOpen, release, settle } from './settle.ts'

/**
 * The ledger in memory: the library's default, and the model that every other store is compared with. Each operation
 * runs to its end without interruption, which is all the atomicity that one process needs.
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): LedgerStore {
  const ledger = createLedger(options)
  return {
    open: async (request) => openScopes(ledger, request),
    close: async (request) => closeScope(ledger, request),
    reserve: async (request) => reserve(ledger, request),
    settle: async (request) => settle(ledger, request),
    release: async (request) => release(ledger, request),
    assume: async (request) => assumeOpen(ledger, request),
    async hold({ scopeId, ask, atMs }) {
      const scope = scopeIn(ledger, scopeId)
      rollPath(scope.rootToSelf, atMs)
      return { held: holdOnPath(scope, ask) }
    },
    async setLimits({ scopeId, limits, atMs }) {
      writeLimits(scopeIn(ledger, scopeId), limits, atMs, ++ledger.sequence)
    },
    async read({ scopeId, atMs }) {
      const scope = ledger.scopes.get(scopeId)
      if (scope === undefined) return null
      rollPath(scope.rootToSelf, atMs)
      return scope.rootToSelf.map(readScope)
    },
  }
}
