import { columnsOf } from '../../records/rows/columns-of.ts'
import type { SqlRow, SqlValue } from '../../records/rows/sql-row.ts'
import { addedSums } from '../../records/rows/sum-row.ts'
import type { Session } from '../database/connections.ts'
import { sumOwnersOf, sumsOfCalls } from '../read-sums.ts'

const SUMS = columnsOf('sums')

/** Adds the calls that are about to be deleted to the permanent sums. */
export async function keepSums(session: Session, where: string, values: readonly SqlValue[]): Promise<void> {
  const rows = await session.query({ text: sumsOfCalls(where), values })
  if (rows.length === 0) return
  const ownerOf = await sumOwnersOf(session, rows)
  const merged = new Map<string, { readonly key: readonly SqlValue[]; readonly row: SqlRow }>()
  for (const row of rows) {
    const { payerOrdinal, agentType } = ownerOf(SUMS.integer(row, 'scope'))!
    const key = [row.hour!, payerOrdinal, agentType ?? '', row.call!, row.name!] as const
    const name = JSON.stringify(key)
    merged.set(name, { key, row: addedSums(row, merged.get(name)?.row) })
  }
  for (const { key, row } of merged.values()) {
    const [before] = await session.query({
      text: `SELECT calls, amounts, costs FROM sums
        WHERE hour = $1 AND root = $2 AND agent_type = $3 AND call = $4 AND name = $5 FOR UPDATE`,
      values: key,
    })
    const { calls, amounts, costs } = addedSums(row, before)
    await session.query({
      text: `INSERT INTO sums (hour, root, agent_type, call, name, calls, amounts, costs)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (hour, root, agent_type, call, name)
        DO UPDATE SET calls = excluded.calls, amounts = excluded.amounts, costs = excluded.costs`,
      values: [...key, calls, amounts, costs],
    })
  }
}
