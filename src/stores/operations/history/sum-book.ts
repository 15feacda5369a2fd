import { addAmount, COST_PARTS, type HourSum, mergedSums, type SumsRequest } from '../../../core/index.ts'
import type { ReservationRecord } from '../state/ledger-state.ts'
import { isCharged, partsOf, type SumKey, sumKeyOf, sumOfCall } from './sum-of-call.ts'
import { emptySum, type GrowingSum, hourSumFrom, textOfKey } from './sum-table.ts'

/** Hourly sums of the calls that are no longer in memory. */
export interface SumBook {
  add(record: ReservationRecord): void
  /** The sums of those calls, plus these. */
  sumsWith(records: Iterable<ReservationRecord>, request: SumsRequest): readonly HourSum[]
}

const HOUR_MS = 3_600_000
// The oldest are dropped beyond this.
const MOST_KEPT = 10_000

export function createSumBook(): SumBook {
  let older = new Map<string, GrowingSum>()
  let sums = new Map<string, GrowingSum>()

  function sumFor(of: SumKey): GrowingSum {
    const key = textOfKey(of)
    const known = sums.get(key) ?? older.get(key)
    if (known !== undefined) return known
    if (sums.size >= MOST_KEPT) {
      older = sums
      sums = new Map()
    }
    const sum = emptySum(of)
    sums.set(key, sum)
    return sum
  }

  return {
    // In place, because every call is added eventually.
    add(record) {
      if (!isCharged(record)) return
      const { charged } = record
      const sum = sumFor(sumKeyOf(record))
      sum.calls++
      for (let index = 0; index < charged.length; index++) {
        sum.amounts[index] = addAmount(sum.amounts[index]!, charged[index]!)
      }
      const parts = partsOf(record)
      for (let place = 0; place < COST_PARTS.length; place++) {
        const cost = parts[COST_PARTS[place]!]
        if (cost !== undefined) sum.costs[place] = addAmount(sum.costs[place]!, cost)
      }
    },
    sumsWith(records, { sinceMs, untilMs }) {
      const fromMs = sinceMs - (sinceMs % HOUR_MS)
      const found: HourSum[] = []
      for (const kept of [older, sums]) for (const sum of kept.values()) found.push(hourSumFrom(sum))
      for (const record of records) if (record.atMs < untilMs && isCharged(record)) found.push(sumOfCall(record))
      return mergedSums(found.filter(({ hourMs }) => hourMs >= fromMs && hourMs < untilMs))
    },
  }
}
