import { type HourSum, mergedSums, type SumsRequest } from '../../core/index.ts'
import { columnsOf } from '../records/rows/columns-of.ts'
import type { SqlRow } from '../records/rows/sql-row.ts'
import { sumFromRow } from '../records/rows/sum-row.ts'
import { createCallSums } from '../records/sums/call-sums.ts'
import { createSumOwners, type OwnerOfSum } from '../records/sums/sum-owners.ts'
import type { Statements } from './statements.ts'

const LEDGER = columnsOf('ledger')
const CALLS = columnsOf('calls')
const SUMS = columnsOf('sums')
const HOUR_MS = 3_600_000
// Calls are numbered in the order in which they were reserved, but timed by the clocks of several processes.
const CLOCKS_APART_MS = HOUR_MS
// How many calls are added up in one transaction, so that nothing else waits for long.
const CALLS_AT_ONCE = 20_000
const MOST_ATTEMPTS = 3

/** Runs something on one consistent state. */
type Read = <Result>(work: () => Result) => Promise<Result>

/** Hourly sums of calls. Takes several transactions, and starts over if calls are pruned meanwhile. */
export async function readSums(statements: Statements, read: Read, request: SumsRequest): Promise<readonly HourSum[]> {
  for (let attempts = 1; ; attempts++) {
    const atOnce = attempts < MOST_ATTEMPTS ? CALLS_AT_ONCE : Number.MAX_SAFE_INTEGER
    const sums = await sumsIfKept(statements, read, request, atOnce)
    if (sums !== null) return mergedSums(sums)
  }
}

/** `null` if calls were pruned meanwhile. */
async function sumsIfKept(
  statements: Statements,
  read: Read,
  { sinceMs, untilMs }: SumsRequest,
  atOnce: number,
): Promise<readonly HourSum[] | null> {
  const fromMs = sinceMs - (sinceMs % HOUR_MS)
  const sums: HourSum[] = []
  const ofCalls = createCallSums()
  const ownerOf = sumOwnersIn(statements)
  let pruned: number | null = null
  let next = 0
  let end = 1
  while (next < end) {
    const isKept = await read(() => {
      const seen = LEDGER.integer(statements.ledger.get()!, 'pruned')
      const take = (rows: readonly SqlRow[]): void => {
        for (const row of rows) sums.push(sumOf(row, owned(ownerOf, row)))
      }
      if (pruned === null) {
        pruned = seen
        next = firstSince(statements, fromMs - CLOCKS_APART_MS)
        end = lastCall(statements) + 1
        take(statements.sumsKept.all(fromMs, untilMs))
        if (statements.anyOldCall.get() !== undefined) take(statements.sumsOfOldCalls.all(fromMs, untilMs))
      }
      if (seen !== pruned) return false
      const upTo = Math.min(end, next + atOnce)
      for (const row of statements.sumsOfCalls.all(next, upTo, fromMs, untilMs)) ofCalls.add(row, owned(ownerOf, row))
      next = upTo
      return true
    })
    if (!isKept) return null
  }
  return [...sums, ...ofCalls.all()]
}

function owned(ownerOf: (ordinal: number) => OwnerOfSum | null, row: SqlRow): OwnerOfSum {
  const owner = ownerOf(SUMS.integer(row, 'scope'))
  if (owner === null) throw new Error(`The scope ${row.scope} of a sum is gone.`)
  return owner
}

function sumOf(row: SqlRow, owner: OwnerOfSum): HourSum {
  const { rootId, payerId } = owner
  // For calls that are still stored, it is that of their scope.
  const agentType = row.agent_type === undefined ? owner.agentType : SUMS.text(row, 'agent_type') || null
  return sumFromRow(row, { rootId, payerId, agentType })
}

/** The payer, agent type and root of scopes' calls, inside one transaction. */
export function sumOwnersIn(statements: Statements): (ordinal: number) => OwnerOfSum | null {
  return createSumOwners({
    byOrdinal: (ordinal) => statements.sumOwner.get(ordinal),
    byId: (id) => statements.sumOwnerOf.get(id),
  })
}

function lastCall(statements: Statements): number {
  const row = statements.lastCall.get()
  return row === undefined ? 0 : (CALLS.integerOrNull(row, 'sequence') ?? 0)
}

/** The number of the first call since a time, by binary search: numbers have an index, times don't. */
function firstSince(statements: Statements, sinceMs: number): number {
  let high = lastCall(statements)
  let low = 0
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const row = statements.callFrom.get(middle)
    if (row === undefined || CALLS.integer(row, 'at_ms') >= sinceMs) high = middle
    else low = CALLS.integer(row, 'sequence') + 1
  }
  return low
}
