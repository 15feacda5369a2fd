import { formatAmount, formatDuration, type Meter } from '../../core/index.ts'

const SECOND_MS = 1000

/** How a meter stands: `toolCalls 5 of 25`, `time 12s of 10m`. Seconds are fine enough for people. */
export function meterText(meter: Meter, used: number, max: number | null): string {
  const show = (amount: number): string => amountText(meter, amount)
  return `${meter} ${show(used)}${max === null ? '' : ` of ${show(max)}`}`
}

/** What is added where a part of that is only assumed: `, of which $0.25 assumed`. */
export function assumedText(meter: Meter, assumed: number): string {
  return assumed === 0 || !ASSUMED_SHOWN.includes(meter) ? '' : `, of which ${amountText(meter, assumed)} assumed`
}

// The others say the same again in their own units.
const ASSUMED_SHOWN: readonly Meter[] = ['cost', 'planningCost', 'executionCost', 'tokens']

function amountText(meter: Meter, amount: number): string {
  const isTime = meter === 'time' || meter === 'wallTime' || meter === 'idleTime'
  return isTime && amount >= SECOND_MS ? formatDuration(amount - (amount % SECOND_MS)) : formatAmount(meter, amount)
}
