import {
  type Amounts,
  addedAmounts,
  addedParts,
  type CostParts,
  type HourSum,
  InvalidOptionError,
  isTimeZone,
} from '../../core/index.ts'
import type { LedgerReader } from '../operator.ts'
import { readPayers } from './payers.ts'
import type { SpendGroup } from './spend-group.ts'
import { spendKeys } from './spend-keys.ts'

export interface SpendQuestion {
  readonly by: SpendGroup
  readonly sinceMs: number
  readonly untilMs: number
  /** Where a day begins at midnight. Hours are never divided: one that began on a day belongs to it. Default: UTC. */
  readonly timeZone?: string
}

/** What calls came to. */
export interface Spend {
  readonly calls: number
  readonly amounts: Amounts
  /** What the cost among the amounts was for: together they are that cost. */
  readonly costs: CostParts
}

export interface SpendRow extends Spend {
  readonly key: string
}

export interface SpendReport {
  readonly by: SpendGroup
  /** The start of the first hour. */
  readonly sinceMs: number
  readonly untilMs: number
  readonly timeZone: string
  /** Times in their order, everything else with the most expensive first. They add up to the total. */
  readonly rows: readonly SpendRow[]
  readonly total: Spend
  /** The cost of each row over time, in steps of an hour or a day. */
  readonly timeline: Timeline
}

export interface Timeline {
  readonly step: 'hour' | 'day'
  readonly times: readonly string[]
  /** By the key of a row, for each time. Those that cost most have their own; the others are together. */
  readonly costs: readonly { readonly key: string | null; readonly costs: readonly number[] }[]
}

const HOUR_MS = 3_600_000
const HOURS_SHOWN = 48
const KEYS_SHOWN = 6

/** Who or what the money of a time was spent on, from the hourly sums. */
export async function spendReport(reader: LedgerReader, question: SpendQuestion): Promise<SpendReport> {
  const { by, sinceMs, untilMs, timeZone = 'UTC' } = question
  if (!isTimeZone(timeZone)) throw new InvalidOptionError('The time zone', timeZone, 'e.g. Europe/Berlin or UTC')
  const sums = await reader.store.sums({ sinceMs, untilMs })
  const payers = by === 'user' || by === 'team' ? await readPayers(reader) : new Map<string, string>()
  const keyOf = spendKeys(by, { timeZone, payers })
  const meant: (readonly [key: string, sum: HourSum])[] = []
  for (const sum of sums) {
    const key = keyOf(sum)
    if (key !== null) meant.push([key, sum])
  }
  const rows = rowsOf(meant, by)
  const fromMs = sinceMs - (sinceMs % HOUR_MS)
  const step = untilMs - fromMs <= HOURS_SHOWN * HOUR_MS ? 'hour' : 'day'
  const total = rows.reduce<Spend>(plus, NOTHING)
  return {
    by,
    sinceMs: fromMs,
    untilMs,
    timeZone,
    rows,
    total,
    timeline: timelineOf(meant, rows, step, { fromMs, untilMs, timeZone }),
  }
}

const NOTHING: Spend = { calls: 0, amounts: {}, costs: {} }

function plus(left: Spend, right: Spend): Spend {
  return {
    calls: left.calls + right.calls,
    amounts: addedAmounts(left.amounts, right.amounts),
    costs: addedParts(left.costs, right.costs),
  }
}

function rowsOf(sums: readonly (readonly [string, HourSum])[], by: SpendGroup): readonly SpendRow[] {
  const groups = new Map<string, Spend>()
  for (const [key, sum] of sums) groups.set(key, plus(groups.get(key) ?? NOTHING, sum))
  const rows = Array.from(groups, ([key, spend]) => ({ key, ...spend }))
  const isByTime = by === 'hour' || by === 'day'
  return rows.sort((left, right) =>
    isByTime ? byKey(left, right) : costOf(right) - costOf(left) || right.calls - left.calls || byKey(left, right),
  )
}

function byKey(left: SpendRow, right: SpendRow): number {
  return left.key < right.key ? -1 : 1
}

/** The cost of a spend, in nano-USD. */
export function costOf({ amounts }: Spend): number {
  return amounts.cost ?? 0
}

function timelineOf(
  sums: readonly (readonly [string, HourSum])[],
  rows: readonly SpendRow[],
  step: 'hour' | 'day',
  { fromMs, untilMs, timeZone }: { readonly fromMs: number; readonly untilMs: number; readonly timeZone: string },
): Timeline {
  const timeOf = spendKeys(step, { timeZone, payers: new Map() })
  const times = new Map<string, number>()
  // From the first hour with a cost: a report of everything has no thousand empty days before it.
  const firstMs = Math.max(fromMs, sums[0]?.[1].hourMs ?? untilMs)
  for (let hourMs = firstMs; hourMs < untilMs; hourMs += HOUR_MS) {
    const time = timeOf.ofHour(hourMs)
    if (!times.has(time)) times.set(time, times.size)
  }
  const shown = rows
    .toSorted((left, right) => costOf(right) - costOf(left))
    .slice(0, KEYS_SHOWN)
    .filter((row) => costOf(row) > 0)
  const lines = new Map<string | null, number[]>(shown.map(({ key }) => [key, Array.from(times, () => 0)]))
  for (const [key, sum] of sums) {
    const place = times.get(timeOf.ofHour(sum.hourMs))
    const cost = costOf(sum)
    if (place === undefined || cost === 0) continue
    const of = lines.has(key) ? key : null
    const line = lines.get(of) ?? Array.from(times, () => 0)
    line[place]! += cost
    lines.set(of, line)
  }
  return { step, times: [...times.keys()], costs: Array.from(lines, ([key, costs]) => ({ key, costs })) }
}
