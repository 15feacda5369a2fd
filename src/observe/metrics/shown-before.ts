import { COUNTER_METERS, isAmount, isPlainObject, type LedgerStore } from '../../core/index.ts'
import type { ShownSeries } from './usage-counters.ts'

const LEASE = 'metrics'
// Every server may write it: it is taken and given back at once.
const HOLDER = 'metrics'

export interface ShownBeforeOptions {
  readonly store: Pick<LedgerStore, 'lease' | 'leased' | 'reservations'>
  readonly nowMs: () => number
}

/**
 * The counters that servers of this ledger have shown. Only a correction of an assumed call lowers a sum, so they are
 * kept in the ledger while there is such a call.
 */
export interface ShownBefore {
  read(): Promise<readonly ShownSeries[]>
  /** Whether a sum that is read now may be lowered later. */
  isAnyAssumed(): Promise<boolean>
  /** Never throws: figures are needed most when a ledger cannot be written. */
  keep(series: readonly ShownSeries[]): Promise<void>
}

export function createShownBefore({ store, nowMs }: ShownBeforeOptions): ShownBefore {
  let kept: string | null = null
  return {
    async read() {
      return seriesFrom((await store.leased({ lease: LEASE }))?.text ?? null)
    },
    async isAnyAssumed() {
      return (await store.reservations({ state: 'assumed', most: 1 })).length > 0
    },
    async keep(series) {
      const text = JSON.stringify(series)
      if (text === kept) return
      try {
        await store.lease({ lease: LEASE, holder: HOLDER, forMs: 0, text, atMs: nowMs() })
        kept = text
      } catch {}
    },
  }
}

/** What was kept. Anything else, such as what a newer version keeps, is left out. */
function seriesFrom(text: string | null): readonly ShownSeries[] {
  if (text === null) return []
  const value: unknown = parsed(text)
  return Array.isArray(value) ? value.flatMap(seriesIn) : []
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function seriesIn(value: unknown): readonly ShownSeries[] {
  if (!isPlainObject(value) || !isPlainObject(value.labels) || !isPlainObject(value.shown)) return []
  const { labels, shown } = value
  const { agent_type, call, name } = labels
  if (typeof agent_type !== 'string' || typeof call !== 'string' || typeof name !== 'string') return []
  const amounts = COUNTER_METERS.flatMap((meter) => (isAmount(shown[meter]) ? [[meter, shown[meter]] as const] : []))
  const calls = isAmount(shown.calls) ? shown.calls : 0
  return [{ labels: { agent_type, call, name }, shown: { calls, ...Object.fromEntries(amounts) } }]
}
