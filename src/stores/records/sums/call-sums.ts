import { addAmount, COST_PARTS, counterIndex, type HourSum } from '../../../core/index.ts'
import { emptySum, type GrowingSum, hourSumFrom, textOfKey } from '../../operations/history/sum-table.ts'
import { columnsOf } from '../rows/columns-of.ts'
import { keptAboutFrom } from '../rows/reservation-row.ts'
import type { SqlRow } from '../rows/sql-row.ts'
import type { SumOwner } from '../rows/sum-row.ts'

const CALLS = columnsOf('calls')
const HOUR_MS = 3_600_000
const COST = counterIndex('cost')
const [CLOSING, ASSUMED, OTHER] = [
  COST_PARTS.indexOf('closing'),
  COST_PARTS.indexOf('assumed'),
  COST_PARTS.indexOf('other'),
]

/** Adds up rows of calls, faster than a database, which would sort them by text. */
export interface CallSums {
  /** A charged call, with the columns `at_ms`, `state`, `about`, `charged` and `costs`. */
  add(row: SqlRow, owner: SumOwner): void
  all(): readonly HourSum[]
}

export function createCallSums(): CallSums {
  const sums = new Map<string, GrowingSum>()
  return {
    add(row, { rootId, payerId, agentType }) {
      const atMs = CALLS.integer(row, 'at_ms')
      const about = row.about === null ? null : keptAboutFrom(CALLS.json(row, 'about'))
      const { call = 'other', name, isClosing = false } = about ?? {}
      const of = { hourMs: atMs - (atMs % HOUR_MS), rootId, payerId, agentType, call, name: name || null }
      const key = textOfKey(of)
      const sum = sums.get(key) ?? emptySum(of)
      if (sum.calls === 0) sums.set(key, sum)
      sum.calls++
      const charged = CALLS.json<number[]>(row, 'charged')
      for (let index = 0; index < charged.length; index++) {
        sum.amounts[index] = addAmount(sum.amounts[index] ?? 0, charged[index]!)
      }
      const cost = charged[COST] ?? 0
      if (cost > 0) addCost(sum.costs, cost, row, isClosing)
    },
    all: () => Array.from(sums.values(), hourSumFrom),
  }
}

function addCost(costs: number[], cost: number, row: SqlRow, isClosing: boolean): void {
  const add = (place: number, amount: number): void => {
    costs[place] = addAmount(costs[place]!, amount)
  }
  if (row.state === 'assumed') add(ASSUMED, cost)
  else if (isClosing) add(CLOSING, cost)
  else if (row.costs === null) add(OTHER, cost)
  else for (const [place, amount] of CALLS.json<number[]>(row, 'costs').entries()) add(place, amount)
}
