import { assertLimits, assertTime, compareLimits, type LedgerStore, type Limit } from '../../core/index.ts'
import { closeScope } from './close-scope.ts'
import { sizeHoldOnPath } from './hold-on-path.ts'
import { createLedger, type MemoryStoreOptions, scopeIn } from './ledger.ts'
import { openScopes } from './open-scopes.ts'
import { readScope } from './read-scope.ts'
import { reserve } from './reserve.ts'
import { assumeOpen, release, settle } from './settle.ts'
import { writeLimits } from './write-limits.ts'

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
      assertTime(atMs, 'hold')
      return { held: sizeHoldOnPath(scopeIn(ledger, scopeId), ask, atMs) }
    },
    async setLimits({ scopeId, limits, expectedRevision, atMs }) {
      assertTime(atMs, 'setLimits')
      assertLimits(limits, 'setLimits')
      const scope = scopeIn(ledger, scopeId)
      if (expectedRevision !== undefined && expectedRevision !== scope.revision) {
        // What was sent before, and whose answer was lost, is no conflict.
        const isWritten = JSON.stringify(scope.limits.map(({ limit }) => limit)) === JSON.stringify(inOrder(limits))
        return { kind: isWritten ? 'written' : 'stale', revision: scope.revision }
      }
      writeLimits(scope, limits, atMs, ++ledger.sequence)
      return { kind: 'written', revision: scope.revision }
    },
    async read({ scopeId, atMs }) {
      assertTime(atMs, 'read')
      const scope = ledger.scopes.get(scopeId)
      return scope === undefined ? null : scope.rootToSelf.map((each) => readScope(each, atMs))
    },
  }
}

function inOrder(limits: readonly Limit[]): readonly Limit[] {
  return limits.toSorted(compareLimits)
}
