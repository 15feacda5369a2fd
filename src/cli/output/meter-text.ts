import { displayAmount, type Meter } from '../../core/index.ts'
import { formatMaximum } from '../../policy/index.ts'

/** What is used of a meter, under the name that its limit was written with: `turns 5 of 25`, `time 12s of 10m`. */
export function meterText(name: string, meter: Meter, used: number, max: number | null): string {
  return `${name} ${displayAmount(meter, used)}${max === null ? '' : ` of ${formatMaximum(meter, max)}`}`
}

/** What is added where a part of that is only assumed: `, of which $0.25 assumed`. */
export function assumedText(meter: Meter, assumed: number): string {
  return assumed === 0 || !ASSUMED_SHOWN.includes(meter) ? '' : `, of which ${displayAmount(meter, assumed)} assumed`
}

// The others say the same again in their own units.
const ASSUMED_SHOWN: readonly Meter[] = ['cost', 'planningCost', 'executionCost', 'tokens']

/** What is settled, in a table: `$0.27 ($0.25 assumed)`. */
export function spentText(meter: Meter, settled: number, assumed: number): string {
  const spent = displayAmount(meter, settled)
  return assumed === 0 ? spent : `${spent} (${displayAmount(meter, assumed)} assumed)`
}
