import { type AlertRule, assertKnownOptions, type LedgerStore, optionNames } from '../../core/index.ts'
import { createAlertBook, createMemoryLedger, storeOverLedger } from '../operations/index.ts'

export interface MemoryStoreOptions {
  /** Whether several governors use it. Default: only one, which then needn't poll for changes by others. */
  readonly isShared?: boolean
  /** How many finished reservations are kept at least, to recognize repeated requests. */
  readonly finishedReservationsKept?: number
  /** How many closed scopes stay readable at least. */
  readonly closedScopesKept?: number
  /** When alerts are raised. Default: `DEFAULT_ALERTS`. */
  readonly alerts?: readonly AlertRule[]
}

const OPTIONS = optionNames<MemoryStoreOptions>({
  isShared: true,
  finishedReservationsKept: true,
  closedScopesKept: true,
  alerts: true,
})

// A reader that is further behind checks every scope.
const STEERINGS_KEPT = 10_000

/**
 * The ledger in memory: the library's default, and the model that every other store is compared with. Each operation
 * runs without interruption, which is all the atomicity that one process needs.
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): LedgerStore {
  assertKnownOptions('createMemoryStore', options, OPTIONS)
  const steered: string[] = []
  let forgotten = 0
  const alerts = createAlertBook('createMemoryStore({ alerts })', options.alerts)
  const ledger = createMemoryLedger({ ...options, alerts }, ({ id }) => {
    steered.push(id)
    if (steered.length > 2 * STEERINGS_KEPT) forgotten += steered.splice(0, STEERINGS_KEPT).length
  })
  return storeOverLedger(async ({ run }, request) => run(ledger, request), {
    isShared: options.isShared ?? false,
    async poll({ since }) {
      const cursor = forgotten + steered.length
      if (since === null) return { cursor, steered: [] }
      if (since < forgotten) return { cursor, steered: null }
      return { cursor, steered: [...new Set(steered.slice(since - forgotten))] }
    },
    async changed({ since }) {
      const cursor = ledger.history?.changes ?? 0
      if (since === null || since === cursor) return { cursor, roots: [], scopes: [] }
      return { cursor, roots: ledger.history?.changedSince(since) ?? null, scopes: null }
    },
    sums: async (request) => ledger.sums(request),
    async dispose() {},
  })
}
