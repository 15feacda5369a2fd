import { displayAmount, type Meter } from '../../core/index.ts'
import { formatMaximum } from '../../policy/index.ts'

/** How a meter stands, under the name that its limit was written with: `turns 5 of 25`, `time 12s of 10m`. */
export function meterText(name: string, meter: Meter, used: number, max: number | null): string {
  return `${name} ${displayAmount(meter, used)}${max === null ? '' : ` of ${formatMaximum(meter, max)}`}`
}
