import { addAmount, amountsFromVector, COST_PARTS, type CostParts, type HourSum, totalOf } from '../../../core/index.ts'
import { columnsOf } from './columns-of.ts'
import type { SqlRow } from './sql-row.ts'

const SUMS = columnsOf('sums')
const KINDS = ['model', 'tool', 'other'] as const

// The stored parts of a cost. The rest is `other`.
const STORED_PARTS = COST_PARTS.slice(0, -1)

/** The payer, agent type and root of the calls of a sum. */
export type SumOwner = Pick<HourSum, 'rootId' | 'payerId' | 'agentType'>

/** A sum as a row. The row has the columns `hour`, `call`, `name`, `calls`, `amounts` and `costs`. */
export function sumFromRow(row: SqlRow, { rootId, payerId, agentType }: SumOwner): HourSum {
  const amounts = amountsFromVector(listIn(row, 'amounts'))
  return {
    hourMs: SUMS.integer(row, 'hour'),
    rootId,
    payerId,
    agentType,
    call: SUMS.oneOf(row, 'call', KINDS),
    name: SUMS.text(row, 'name') || null,
    calls: SUMS.integer(row, 'calls'),
    amounts,
    costs: partsFrom(listIn(row, 'costs'), amounts.cost ?? 0),
  }
}

/** The calls, amounts and costs of two rows, added up. */
export function addedSums(
  row: SqlRow,
  before: SqlRow | undefined,
): { readonly calls: number; readonly amounts: string; readonly costs: string } {
  const sumOf = (column: 'amounts' | 'costs'): string => {
    const [added, kept] = [listIn(row, column), before === undefined ? [] : listIn(before, column)]
    // One of them may be from before a meter was added.
    const places = Array.from({ length: Math.max(added.length, kept.length) }, (_, place) => place)
    return JSON.stringify(places.map((place) => addAmount(added[place] ?? 0, kept[place] ?? 0)))
  }
  const calls = SUMS.integer(row, 'calls') + (before === undefined ? 0 : SUMS.integer(before, 'calls'))
  return { calls, amounts: sumOf('amounts'), costs: sumOf('costs') }
}

function partsFrom(stored: readonly number[], cost: number): CostParts {
  const parts = Object.fromEntries(
    stored.flatMap((amount, place) => (amount > 0 ? [[STORED_PARTS[place]!, amount]] : [])),
  )
  const other = cost - totalOf(parts)
  return other > 0 ? { ...parts, other } : parts
}

function listIn(row: SqlRow, column: 'amounts' | 'costs'): readonly number[] {
  return row[column] === null || row[column] === undefined ? [] : SUMS.json<number[]>(row, column)
}
