import { METERS, type Meter, type ScopeReading } from '../../core/index.ts'
import { standingsOf } from './limit-standing.ts'
import { assumedText, meterText } from './meter-text.ts'

// Worth showing also where nothing limits them.
const ALWAYS: readonly Meter[] = ['toolCalls', 'cost']

/** How the meters of a scope stand on one line, those that are limited first: `toolCalls 5 of 25, cost $0.03 of $1.00`. */
export function scopeMeters(scope: ScopeReading): string {
  const limited = standingsOf(scope).filter(({ isCounted }) => isCounted)
  const parts = limited.map(({ limit, settled, assumed }) => {
    const period = limit.per === null ? '' : `/${limit.per}`
    return `${meterText(limit.meter, settled, limit.max)}${period}${assumedText(limit.meter, assumed)}`
  })
  const named = new Set(limited.map(({ limit }) => limit.meter))
  const others = ALWAYS.flatMap((meter) => {
    const { settled = 0, assumed = 0 } = METERS[meter].kind === 'counter' ? scope.totals[meter as 'cost'] : {}
    return named.has(meter) || settled === 0 ? [] : [`${meterText(meter, settled, null)}${assumedText(meter, assumed)}`]
  })
  return [...parts, ...others].join(', ')
}
