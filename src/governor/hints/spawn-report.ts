import { METER_NAMES, type Meter } from '../../core/meter.ts'
import { amountInWords, partOfLimit, showLeft, showUsed } from './amount-words.ts'
import { leftOf, type Standing, tightestPerMeter } from './standing.ts'

/** What a child spent, and the state of the limits it shares with its parent. */
export interface SpawnReportInput {
  readonly childUsage: Readonly<Partial<Record<Meter, number>>>
  readonly pool: readonly Standing[]
}

const ALWAYS_TOLD: ReadonlySet<Meter> = new Set<Meter>(['toolCalls', 'modelCalls', 'tokens', 'cost', 'time'])

/**
 * The line above a child's answer: what the child spent, and what the parent has left. Not in brackets like a hint: it
 * is part of a tool's output, where everything that looks like a hint is marked as a quotation.
 */
export function spawnReport({ childUsage, pool }: SpawnReportInput): string {
  const limited = tightestPerMeter(pool)
  const shown = METER_NAMES.filter(
    (meter) => ALWAYS_TOLD.has(meter) || limited.some((standing) => standing.meter === meter),
  )
  const spent = shown.flatMap((meter) => {
    const amount = childUsage[meter] ?? 0
    return amount === 0 ? [] : [amountInWords(meter, amount, showUsed)]
  })
  const left = limited.map((standing) =>
    partOfLimit(standing.meter, showLeft(standing.meter, leftOf(standing)), standing),
  )
  const pooled = left.length === 0 ? '' : ` Left for you: ${left.join(', ')}.`
  return `Spent by the subagent: ${spent.length === 0 ? 'nothing' : spent.join(', ')}.${pooled}`
}
