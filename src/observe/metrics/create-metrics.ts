import { assertKnownOptions, type LedgerStore, optionNames, SCOPE_KINDS, type StintEvent } from '../../core/index.ts'
import { webhookHealth } from '../webhooks/webhook-health.ts'
import { createEventCounters } from './event-counters.ts'
import { type MetricFamily, renderMetrics, type Sample } from './exposition.ts'
import { createShownBefore } from './shown-before.ts'
import { createUsageCounters } from './usage-counters.ts'

export interface MetricsOptions {
  readonly store: LedgerStore
  readonly nowMs: () => number
  /** The names of the webhooks to show. */
  readonly webhooks?: readonly string[]
}

/** Figures for Prometheus, made when they are asked for: no call waits for them. */
export interface Metrics {
  /** Counts events of this process. */
  readonly listener: (event: StintEvent) => void
  /** The `content-type` of a scrape. */
  readonly contentType: string
  /** The figures as text. Scrapes at the same time share one. */
  scrape(): Promise<string>
}

const OPTIONS = optionNames<MetricsOptions>({ store: true, nowMs: true, webhooks: true })
const HOUR_MS = 3_600_000
// Calls are charged within this time, or assumed: older hours are read once.
const YOUNG_MS = 24 * HOUR_MS

/** Metrics of a ledger: what calls came to since it began, and what this process has heard. */
export function createMetrics(options: MetricsOptions): Metrics {
  assertKnownOptions('createMetrics', options, OPTIONS)
  const { store, nowMs, webhooks = [] } = options
  const usage = createUsageCounters()
  const before = createShownBefore({ store, nowMs })
  const events = createEventCounters()
  let keptUntilMs = 0
  let scraping: Promise<string> | null = null

  /** No counter falls, also not after a restart or at another server: what was shown is kept before it is sent. */
  async function usageFamilies(): Promise<readonly MetricFamily[]> {
    usage.raiseTo(await before.read())
    const mayFall = await before.isAnyAssumed()
    const families = await familiesNow()
    if (mayFall || (await before.isAnyAssumed())) await before.keep(usage.shown())
    return families
  }

  async function familiesNow(): Promise<readonly MetricFamily[]> {
    const atMs = nowMs()
    const oldUntilMs = Math.floor((atMs - YOUNG_MS) / HOUR_MS) * HOUR_MS
    // A clock that went back: what is old now was young before.
    if (oldUntilMs < keptUntilMs) {
      usage.forget()
      keptUntilMs = 0
    }
    if (oldUntilMs > keptUntilMs) {
      usage.keep(await store.sums({ sinceMs: keptUntilMs, untilMs: oldUntilMs }))
      keptUntilMs = oldUntilMs
    }
    return usage.families(await store.sums({ sinceMs: keptUntilMs, untilMs: Math.max(keptUntilMs, atMs + HOUR_MS) }))
  }

  async function gauges(): Promise<readonly MetricFamily[]> {
    const open: Sample[] = []
    for (const kind of SCOPE_KINDS) {
      open.push({ labels: { kind }, value: String(await store.count({ standing: 'open', kind })) })
    }
    const requests = await store.requests({ status: 'open' })
    return [
      { name: 'stint_scopes_open', help: 'Scopes that have not ended.', type: 'gauge', samples: open },
      {
        name: 'stint_requests_open',
        help: 'Requests for more that wait for an answer.',
        type: 'gauge',
        samples: [{ labels: {}, value: String(requests.length) }],
      },
      ...(await webhookFamilies()),
    ]
  }

  async function webhookFamilies(): Promise<readonly MetricFamily[]> {
    const [sent, dropped, failing]: [Sample[], Sample[], Sample[]] = [[], [], []]
    for (const name of webhooks) {
      const health = await webhookHealth({ store, nowMs }, name)
      const labels = { webhook: name }
      sent.push({ labels, value: String(health?.sent ?? 0) })
      dropped.push({ labels, value: String(health?.dropped ?? 0) })
      failing.push({ labels, value: health !== null && health.failing !== null ? '1' : '0' })
    }
    return [
      { name: 'stint_webhook_sent_total', help: 'Events that a webhook took.', type: 'counter', samples: sent },
      { name: 'stint_webhook_dropped_total', help: 'Events given up after a day.', type: 'counter', samples: dropped },
      { name: 'stint_webhook_failing', help: 'Whether the last attempt failed.', type: 'gauge', samples: failing },
    ]
  }

  async function render(): Promise<string> {
    try {
      return renderMetrics([...(await usageFamilies()), ...(await gauges()), ...events.families()])
    } finally {
      scraping = null
    }
  }

  return {
    listener: events.listener,
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    scrape() {
      scraping ??= render()
      return scraping
    },
  }
}
