import {
  addAmount,
  COUNTER_METERS,
  type CounterMeter,
  type HourSum,
  METERS,
  NANO_USD_PER_USD,
} from '../../core/index.ts'
import type { MetricFamily, Sample } from './exposition.ts'

/** What calls came to since there is a ledger, by agent type, kind of call, and model or tool. */
export interface UsageCounters {
  /** Adds sums that are not going to change. */
  keep(sums: Iterable<HourSum>): void
  /** Drops what was kept, to add it up again. What was shown stays. */
  forget(): void
  /** What was kept together with these. No counter is ever below what it was. */
  families(sums: Iterable<HourSum>): readonly MetricFamily[]
  /** What was shown last, for another process to go on from. */
  shown(): readonly ShownSeries[]
  /** No counter is below these from now on. */
  raiseTo(series: Iterable<ShownSeries>): void
}

/** A series with its values. */
export interface ShownSeries {
  readonly labels: Readonly<Record<'agent_type' | 'call' | 'name', string>>
  readonly shown: Readonly<Totals>
}

interface Series extends ShownSeries {
  readonly kept: Totals
  readonly shown: Totals
}

type Totals = { calls: number } & Partial<Record<CounterMeter, number>>

// What comes later is counted together: a model may make up any number of names.
const MOST_SERIES = 500
const LONGEST_LABEL = 100
const OTHER = { agent_type: 'other', call: 'other', name: 'other' } as const

export function createUsageCounters(mostSeries = MOST_SERIES): UsageCounters {
  const series = new Map<string, Series>()

  /** Once it has a series of its own it keeps it, so that no counter falls. */
  function seriesWith(labels: Series['labels']): Series {
    const { agent_type, call, name } = labels
    const key = JSON.stringify([agent_type, call, name])
    const known = series.get(key)
    if (known !== undefined) return known
    const isOther = series.size >= mostSeries
    if (isOther && series.has(REST)) return series.get(REST)!
    const added: Series = { labels: isOther ? OTHER : labels, kept: { calls: 0 }, shown: { calls: 0 } }
    series.set(isOther ? REST : key, added)
    return added
  }

  function seriesOf({ agentType, call, name }: HourSum): Series {
    return seriesWith({ agent_type: labelOf(agentType), call, name: labelOf(name) })
  }

  return {
    keep(sums) {
      for (const sum of sums) addTo(seriesOf(sum).kept, sum)
    },
    forget() {
      for (const { kept } of series.values()) for (const what of WHATS) kept[what] = 0
    },
    families(sums) {
      const now = new Map<Series, Totals>()
      for (const sum of sums) {
        const of = seriesOf(sum)
        const totals = now.get(of) ?? { calls: 0 }
        addTo(totals, sum)
        now.set(of, totals)
      }
      for (const each of series.values()) {
        const latest = now.get(each) ?? { calls: 0 }
        for (const what of WHATS) {
          const total = addAmount(each.kept[what] ?? 0, latest[what] ?? 0)
          // A correction may take something back: a counter doesn't.
          if (total > (each.shown[what] ?? 0)) each.shown[what] = total
        }
      }
      return familiesOf([...series.values()])
    },
    shown: () => Array.from(series.values(), ({ labels, shown }) => ({ labels, shown })),
    raiseTo(given) {
      for (const { labels, shown } of given) {
        const { shown: own } = seriesWith(labels)
        for (const what of WHATS) own[what] = Math.max(own[what] ?? 0, shown[what] ?? 0)
      }
    },
  }
}

const REST = JSON.stringify([OTHER.agent_type, OTHER.call, OTHER.name])
const WHATS = ['calls', ...COUNTER_METERS] as const

function labelOf(text: string | null): string {
  return (text ?? '').slice(0, LONGEST_LABEL)
}

function addTo(totals: Totals, { calls, amounts }: HourSum): void {
  totals.calls += calls
  for (const meter of COUNTER_METERS) {
    const amount = amounts[meter] ?? 0
    if (amount > 0) totals[meter] = addAmount(totals[meter] ?? 0, amount)
  }
}

const SHOWN = {
  stint_calls_total: ['calls', 'Model and tool calls that were charged.'],
  stint_cost_usd_total: ['cost', 'What calls cost, in US dollars.'],
  stint_tokens_total: ['tokens', 'Input and output tokens.'],
  stint_output_tokens_total: ['outputTokens', 'Output tokens.'],
  stint_uncached_tokens_total: ['uncachedTokens', 'Tokens without cache reads.'],
  stint_tool_calls_total: ['toolCalls', 'Tool calls.'],
  stint_model_calls_total: ['modelCalls', 'Model calls.'],
} as const

function familiesOf(all: readonly Series[]): readonly MetricFamily[] {
  return Object.entries(SHOWN).map(([name, [what, help]]) => {
    const samples = all.flatMap(({ labels, shown }): readonly Sample[] => {
      const amount = shown[what]
      return amount === undefined || amount === 0 ? [] : [{ labels, value: valueText(what, amount) }]
    })
    return { name, help, type: 'counter', samples }
  })
}

/** Dollars from whole nano-dollars: exact, whatever the sum. */
function valueText(what: CounterMeter | 'calls', amount: number): string {
  if (what === 'calls' || METERS[what].unit !== 'nanoUsd') return String(amount)
  const decimals = String(amount % NANO_USD_PER_USD).padStart(9, '0')
  return `${Math.floor(amount / NANO_USD_PER_USD)}.${decimals}`
}
