import { displayAmount, type Meter } from '../../core/index.ts'
import { formatMaximum } from '../../policy/index.ts'

/** How much of a meter is used, under the name of its limit as written: `turns 5 of 25`, `time 12s of 10m`. */
export function meterText(name: string, meter: Meter, used: number, max: number | null): string {
  return `${name} ${displayAmount(meter, used)}${max === null ? '' : ` of ${formatMaximum(meter, max)}`}`
}

/** Appended if part of it is only assumed: `, of which $0.25 assumed`. */
export function assumedText(meter: Meter, assumed: number): string {
  return assumed === 0 || !ASSUMED_SHOWN.includes(meter) ? '' : `, of which ${displayAmount(meter, assumed)} assumed`
}

// The others repeat the same in other units.
const ASSUMED_SHOWN: readonly Meter[] = ['cost', 'planningCost', 'executionCost', 'tokens']

/** What is settled, in a table: `$0.27 ($0.25 assumed)`. */
export function spentText(meter: Meter, settled: number, assumed: number): string {
  const spent = displayAmount(meter, settled)
  return assumed === 0 ? spent : `${spent} (${displayAmount(meter, assumed)} assumed)`
}

/** For a clock that is redrawn while it runs. */
export function wholeSeconds(milliseconds: number): number {
  return milliseconds - (milliseconds % 1000)
}
