import { columnsOf } from '../../records/rows/columns-of.ts'
import type { SqlRow } from '../../records/rows/sql-row.ts'
import { createStoredLedger } from '../../records/stored-ledger.ts'
import type { StoredTree } from '../../records/verify/compare-root.ts'
import type { Session } from '../database/connections.ts'
import { arrayText } from '../rows/array-text.ts'
import { createLoadedRows } from '../rows/loaded-rows.ts'
import { type Need, RowsNotLoaded } from '../rows/need.ts'
import { CALL, callKey, scopesNeed } from '../rows/needs.ts'

const CALLS = columnsOf('calls')

/** Loads part of a stored tree: these scopes with their ancestors, and these calls. */
export async function loadTree(
  session: Session,
  { scopeIds = [], callIds = [] }: { readonly scopeIds?: readonly string[]; readonly callIds?: readonly string[] },
): Promise<StoredTree> {
  const rows = createLoadedRows(() => 0)
  async function load(need: Need): Promise<readonly (readonly SqlRow[])[]> {
    const results = await Promise.all(need.queries.map((query) => session.query(query)))
    rows.take(need, results)
    return results
  }
  const [calls = []] = callIds.length === 0 ? [] : await load(callsNeed(callIds))
  const all = [...new Set([...scopeIds, ...calls.map(({ scope }) => String(scope))])]
  if (all.length > 0) await load(scopesNeed(all))
  // Everything that exists was loaded: what is not here is missing.
  const source = { ...rows.source, scope: (id: string) => orMissing(() => rows.source.scope(id)) }
  return {
    ledger: createStoredLedger({ source, write: () => {}, flush: () => {} }),
    scopeIds,
    filedUnder: (scopeId) => source.scope(scopeId)!.row,
  }
}

function callsNeed(ids: readonly string[]): Need {
  return {
    key: `calls ${ids.join(' ')}`,
    isList: false,
    queries: [{ text: `SELECT ${CALL} WHERE calls.id = ANY ($1::text[])`, values: [arrayText(ids)] }],
    take([rows = []], give) {
      for (const id of ids) give(callKey(id), undefined)
      for (const row of rows) give(callKey(CALLS.text(row, 'id')), row)
    },
  }
}

function orMissing<Found>(find: () => Found): Found | undefined {
  try {
    return find()
  } catch (error) {
    if (error instanceof RowsNotLoaded) return undefined
    throw error
  }
}
