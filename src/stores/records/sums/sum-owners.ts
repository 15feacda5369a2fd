import { columnsOf } from '../rows/columns-of.ts'
import type { SqlRow } from '../rows/sql-row.ts'
import type { SumOwner } from '../rows/sum-row.ts'

const SCOPES = columnsOf('scopes')

/** Finds scopes, each with the columns `ordinal`, `id`, `root`, `parent`, `kind` and `labels`. */
export interface ScopeRows {
  byOrdinal(ordinal: number): SqlRow | undefined
  byId(id: string): SqlRow | undefined
}

export interface OwnerOfSum extends SumOwner {
  readonly payerOrdinal: number
}

/** The payer, agent type and root of a scope's calls, by its ordinal. Each scope is looked up once. */
export function createSumOwners({ byOrdinal, byId }: ScopeRows): (ordinal: number) => OwnerOfSum | null {
  const owners = new Map<number, OwnerOfSum | null>()
  const payers = new Map<string, SqlRow>()

  /** The nearest lasting scope on the path, or the root if there is none. */
  function payerOf(row: SqlRow): SqlRow {
    const id = SCOPES.text(row, 'id')
    const known = payers.get(id)
    if (known !== undefined) return known
    const parent = SCOPES.textOrNull(row, 'parent')
    const above = row.kind === 'lasting' || parent === null ? undefined : byId(parent)
    const payer = above === undefined ? row : payerOf(above)
    payers.set(id, payer)
    return payer
  }

  return (ordinal) => {
    const known = owners.get(ordinal)
    if (known !== undefined) return known
    const row = byOrdinal(ordinal)
    const owner = row === undefined ? null : ownerFrom(row, payerOf(row))
    owners.set(ordinal, owner)
    return owner
  }
}

function ownerFrom(row: SqlRow, payer: SqlRow): OwnerOfSum {
  return {
    rootId: SCOPES.text(row, 'root'),
    payerId: SCOPES.text(payer, 'id'),
    payerOrdinal: SCOPES.integer(payer, 'ordinal'),
    agentType: SCOPES.json<{ readonly agentType?: string }>(row, 'labels').agentType || null,
  }
}
