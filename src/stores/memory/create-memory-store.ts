import { assertKnownOptions, type LedgerStore, optionNames } from '../../core/index.ts'
import { createMemoryLedger, storeOverLedger } from '../ledger/index.ts'

export interface MemoryStoreOptions {
  /** Whether several governors have it. Default: one alone, which then need not look for what others do. */
  readonly isShared?: boolean
  /** How many finished reservations are remembered at least, to recognise what is sent twice. */
  readonly finishedReservationsKept?: number
  /** How many closed scopes can be read at least. */
  readonly closedScopesKept?: number
}

const OPTIONS = optionNames<MemoryStoreOptions>({
  isShared: true,
  finishedReservationsKept: true,
  closedScopesKept: true,
})

// Whoever looks so rarely that more has happened looks at everything.
const STEERINGS_KEPT = 10_000

/**
 * The ledger in memory: the library's default, and the model that every other store is compared with. Each operation
 * runs to its end without interruption, which is all the atomicity that one process needs.
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): LedgerStore {
  assertKnownOptions('createMemoryStore', options, OPTIONS)
  const steered: string[] = []
  let forgotten = 0
  const ledger = createMemoryLedger(options, ({ id }) => {
    steered.push(id)
    if (steered.length > 2 * STEERINGS_KEPT) forgotten += steered.splice(0, STEERINGS_KEPT).length
  })
  return storeOverLedger(async (operation) => operation(ledger), {
    isShared: options.isShared ?? false,
    async poll({ since }) {
      const cursor = forgotten + steered.length
      if (since === null) return { cursor, steered: [] }
      if (since < forgotten) return { cursor, steered: null }
      return { cursor, steered: [...new Set(steered.slice(since - forgotten))] }
    },
    async dispose() {},
  })
}
