import { METERS, type Meter, type ScopeReading } from '../../core/index.ts'
import { standingsOf } from '../../operate/views/limit-standing.ts'
import { assumedText, meterText } from './meter-text.ts'

// Worth showing even without a limit.
const ALWAYS: readonly Meter[] = ['toolCalls', 'cost']

/** The meters of a scope, limited ones first: `turns 5 of 25`, `cost $0.03 of $1.00`. */
export function scopeMeters(scope: ScopeReading): readonly string[] {
  const limited = standingsOf(scope).filter(({ isCounted }) => isCounted)
  const parts = limited.map(({ limit, settled, assumed }) => {
    const period = limit.per === null ? '' : `/${limit.per}`
    const standing = meterText(limit.source.written, limit.meter, settled, limit.max)
    return `${standing}${period}${assumedText(limit.meter, assumed)}`
  })
  const named = new Set(limited.map(({ limit }) => limit.meter))
  const others = ALWAYS.flatMap((meter) => {
    const { settled = 0, assumed = 0 } = METERS[meter].kind === 'counter' ? scope.totals[meter as 'cost'] : {}
    const standing = meterText(meter, meter, settled, null)
    return named.has(meter) || settled === 0 ? [] : [`${standing}${assumedText(meter, assumed)}`]
  })
  return [...parts, ...others]
}
