import type { LedgerStore } from '../../src/core/index.ts'
import { createAlertBook, type RunOnLedger, storeOverLedger } from '../../src/stores/operations/index.ts'
import type { Needs } from '../../src/stores/operations/needs.ts'
import type { RowWriteName } from '../../src/stores/records/rows/row-change.ts'
import type { SqlValue } from '../../src/stores/records/rows/sql-row.ts'
import { createStoredLedger } from '../../src/stores/records/stored-ledger.ts'
import { openDatabase } from '../../src/stores/sqlite/database/index.ts'
import { readSums } from '../../src/stores/sqlite/read-sums.ts'
import { APPLICATION_ID, MIGRATIONS } from '../../src/stores/sqlite/schema.ts'
import { prepareStatements } from '../../src/stores/sqlite/statements.ts'
import { loadRows } from './load-rows.ts'
import { createLoadedRows } from './loaded-rows.ts'
import { NotLoadedError } from './not-loaded-error.ts'

/** A store that loads rows, runs an operation on them, and writes what changed: as for a database that answers later. */
export interface LoadingStore extends LedgerStore {
  /** What operations looked at without saying so. */
  readonly missed: readonly Needs[]
}

export function createLoadingStore(file: string): LoadingStore {
  const ALERTS = createAlertBook('alerts')
  const database = openDatabase({ file, migrations: MIGRATIONS, applicationId: APPLICATION_ID })
  const statements = prepareStatements(database)
  const missed: Needs[] = []
  let queue: Promise<unknown> = Promise.resolve()

  /** One transaction: load everything, run, write everything. */
  const run: RunOnLedger = async ({ needs, run: operate }, request) => {
    let wanted = needs(request)
    for (let attempts = 0; attempts < 10; attempts++) {
      const rows = createLoadedRows()
      database.beginWrite()
      const written: [name: RowWriteName, values: readonly SqlValue[]][] = []
      try {
        const { sequence, change } = statements.ledger.get() as { sequence: number; change: number }
        rows.add(wanted, loadRows(database, statements, wanted))
        await Promise.resolve()
        const write = (name: RowWriteName, values: readonly SqlValue[]): void => {
          written.push([name, values])
          rows.write(name, values)
        }
        const flush = (): unknown => ledger.writeChanges(change + 1)
        const ledger = createStoredLedger({ source: rows, write, flush, alerts: ALERTS })
        ledger.sequence = sequence
        const outcome = operate(ledger, request)
        ledger.writeChanges(change + 1)
        for (const [name, values] of written) statements[name].run(...values)
        if (written.length > 0) statements.writeLedger.run(ledger.sequence, change + 1, change + 1)
        database.commit()
        return outcome
      } catch (error) {
        database.rollback()
        if (!(error instanceof NotLoadedError)) throw error
        missed.push(error.needs)
        wanted = together(wanted, error.needs)
      }
    }
    throw new Error(`Never enough: ${JSON.stringify(wanted)}`)
  }

  const oneByOne: RunOnLedger = (operation, request) => {
    const turn = queue.then(() => run(operation, request))
    queue = turn.catch(() => {})
    return turn
  }

  const cursor = (): number => Number(statements.ledger.get()!.change)
  const store = storeOverLedger(oneByOne, {
    isShared: true,
    async poll({ since }) {
      await queue
      const rows = since === null ? [] : statements.scopesSteered.all(since, 10_000)
      return { cursor: cursor(), steered: rows.map(({ id }) => String(id)) }
    },
    async changed({ since }) {
      await queue
      const rows = since === null ? [] : statements.rootsChanged.all(since, 10_000)
      return { cursor: cursor(), roots: rows.map(({ root }) => String(root)), scopes: null }
    },
    async sums(request) {
      await queue
      return readSums(statements, async (work) => work(), request)
    },
    async dispose() {
      await queue
      database.close()
    },
  })
  return { ...store, missed }
}

function together(left: Needs, right: Needs): Needs {
  const both: Record<string, unknown> = { ...left }
  for (const [need, names] of Object.entries(right)) {
    const before = both[need]
    both[need] = Array.isArray(before) ? [...before, ...(names as string[])] : names
  }
  return both
}
