import type { ScopeReading } from '../../core/index.ts'
import { limitName } from '../../operate/views/limit-standing.ts'
import type { LimitEntry, ParsedLimits } from '../../policy/index.ts'
import { formatMaximum } from '../../policy/index.ts'
import { limitText } from './amount-text.ts'

/** The current limits of a scope, one per line. */
export function limitLines(scope: ScopeReading): string {
  if (scope.limits.length === 0) return '  no limits'
  return scope.limits.map(({ limit }) => `  ${limitText(limit)}`).join('\n')
}

/** The limits that a ceiling reduced. */
export function cutByCeilings(scope: ScopeReading, written: readonly ParsedLimits[]): readonly string[] {
  const entries = written.flatMap((layer): readonly LimitEntry[] => layer.entries)
  return entries.flatMap((entry) => {
    if (entry.kind !== 'set') return []
    const same = scope.limits.filter(({ limit }) => limit.meter === entry.meter && limit.per === entry.per)
    const now = Math.min(...same.map(({ limit }) => limit.max))
    if (same.length === 0 || now >= entry.max) return []
    const show = (max: number): string => formatMaximum(entry.meter, max)
    return [`${limitName(entry)}: ${show(entry.max)} was requested, but a ceiling allows ${show(now)}.`]
  })
}
