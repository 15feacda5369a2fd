import type { StoreName } from './load-stage.ts'
import { missingFaults, type Totals } from './program/run-seeds.ts'

// With fewer seeds a kind of fault may not come up.
const SEEDS_FOR_ALL_FAULTS = 50

/** Why a run of seeds is not good enough; `null` if it is. */
export function faultOfRun(totals: Totals, store: StoreName): string | null {
  const { failed, seeds } = totals
  if (failed !== null) {
    const { seed, violation, lines } = failed
    const events = lines().join('\n')
    return `${events}\n\nseed ${seed}: ${violation?.stack}\nagain: npm run sim -- --seed ${seed} --store ${store}`
  }
  const missing = seeds < SEEDS_FOR_ALL_FAULTS ? [] : missingFaults(totals)
  return missing.length === 0 ? null : `These faults never happened: ${missing.join(', ')}.`
}

/** What a run of seeds has done. */
export function reportTotals(totals: Totals, store: StoreName, durationMs: number): string {
  const { seeds, processes, calls, events, faults } = totals
  const kinds = [...faults].toSorted(([left], [right]) => (left < right ? -1 : 1))
  const sum = kinds.reduce((count, [, each]) => count + each, 0)
  const perMinute = Math.round((seeds * 60_000) / durationMs)
  return [
    `${seeds} seeds on ${store}, ${perMinute} a minute`,
    `${processes} processes, ${calls} calls, ${events} events, ${sum} faults`,
    ...kinds.map(([kind, count]) => `  ${kind}: ${count}`),
  ].join('\n')
}
