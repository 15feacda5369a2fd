import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { LedgerStore } from '../../../src/core/index.ts'
import { createGovernor } from '../../../src/governor/index.ts'
import { renderMetrics } from '../../../src/observe/metrics/exposition.ts'
import { createMetrics } from '../../../src/observe/metrics/index.ts'
import { createUsageCounters } from '../../../src/observe/metrics/usage-counters.ts'
import { createMemoryStore } from '../../../src/stores/memory/index.ts'
import { createSqliteStore, pruneLedger } from '../../../src/stores/sqlite/index.ts'
import { createContractLedger } from '../../../src/testing/store-contract/contract-ledger.ts'
import { readExposition } from './read-exposition.ts'

const DAY_MS = 86_400_000
const USD = 1_000_000_000
let spends = 0

function metricsOf(store: LedgerStore) {
  const ledger = createContractLedger(store)
  return { ledger, metrics: createMetrics({ store, nowMs: () => ledger.atMs }) }
}

async function spend(
  ledger: ReturnType<typeof createContractLedger>,
  scope: string,
  name: string,
  cost: number,
): Promise<void> {
  const reservationId = `spend ${spends++}`
  await ledger.reserve(scope, { cost, modelCalls: 1 }, { reservationId, about: { call: 'model', name } })
  await ledger.settle(reservationId, { actual: { cost, modelCalls: 1 } })
}

const costOf = (name: string, agentType = '') =>
  `stint_cost_usd_total${JSON.stringify({ agent_type: agentType, call: 'model', name })}`

describe('metrics for Prometheus', () => {
  it('have exact sums in dollars, whatever the names are', async () => {
    const { ledger, metrics } = metricsOf(createMemoryStore())
    const name = 'a "model"\\\n} 1\nstint_cost_usd_total 99'
    await ledger.open('run', [], { labels: { agentType: 'dev"eloper' } })
    await spend(ledger, 'run', name, USD + 1)
    await spend(ledger, 'run', name, 2)
    const text = await metrics.scrape()
    expect(text).toContain(' 1.000000003\n')
    const samples = readExposition(text)
    expect(samples.get(costOf(name, 'dev"eloper'))).toBe(1.000000003)
    expect(samples.get('stint_scopes_open{"kind":"agent"}')).toBe(1)
    expect(text).not.toContain('"run"')
  })

  it('pass a strict parser, whatever they contain', () => {
    const label = fc.string({ unit: 'binary', maxLength: 20 })
    const sample = fc.record({ labels: fc.record({ a: label, b: label }), value: fc.nat().map(String) })
    fc.assert(
      fc.property(
        fc.uniqueArray(sample, { selector: ({ labels }) => JSON.stringify(labels) }),
        fc.string(),
        (samples, help) => {
          const family = {
            name: 'x_total',
            help: `Help ${help.replace(/[\r\u2028\u2029]/g, '')}`,
            type: 'counter',
            samples,
          } as const
          expect(readExposition(renderMetrics([family])).size).toBe(samples.length)
        },
      ),
    )
  })

  it('never fall: not by pruning, a restart, a correction, or the clock', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stint-metrics-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'ledger.db')
    const open = () => metricsOf(createSqliteStore({ file }))
    let { ledger, metrics } = open()
    const values: number[] = []
    const look = async () => values.push(readExposition(await metrics.scrape()).get(costOf('m')) ?? 0)
    await ledger.open('old')
    await spend(ledger, 'old', 'm', 3 * USD)
    await ledger.close('old')
    await look()
    const atMs = ledger.atMs + 10 * DAY_MS
    ledger.atMs = atMs
    await ledger.open('new')
    await spend(ledger, 'new', 'm', 2 * USD)
    await look()
    await ledger.store.dispose()
    pruneLedger(file, { beforeMs: atMs - DAY_MS, atMs })
    ;({ ledger, metrics } = open())
    ledger.atMs = atMs
    await look()
    await ledger.reserve('new', { cost: 5 * USD }, { reservationId: 'cut', about: { call: 'model', name: 'm' } })
    await ledger.settle('cut', { assumed: true })
    await look()
    await ledger.settle('cut', { actual: { cost: USD } })
    await look()
    await ledger.store.dispose()
    ;({ ledger, metrics } = open())
    ledger.atMs = atMs
    await look()
    ledger.atMs -= 5 * DAY_MS
    await look()
    ledger.atMs += 400 * DAY_MS
    await look()
    ledger.atMs = atMs
    await spend(ledger, 'new', 'm', 20 * USD)
    await look()
    expect(values).toEqual([3, 5, 5, 10, 10, 10, 10, 10, 26])
    await ledger.store.dispose()
  })

  it('do not fall when another server is asked after a correction, and a call given back counts as before', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stint-metrics-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'ledger.db')
    const one = metricsOf(createSqliteStore({ file }))
    const two = metricsOf(createSqliteStore({ file }))
    const valueAt = async ({ metrics }: typeof one) => readExposition(await metrics.scrape()).get(costOf('m'))
    await one.ledger.open('run')
    two.ledger.atMs = one.ledger.atMs
    expect(await valueAt(two)).toBe(undefined)
    await one.ledger.reserve('run', { cost: 5 * USD }, { reservationId: 'cut', about: { call: 'model', name: 'm' } })
    await one.ledger.settle('cut', { assumed: true })
    expect(await valueAt(one)).toBe(5)
    await one.ledger.store.release({ reservationId: 'cut', by: 'ann', reason: 'never sent', atMs: one.ledger.atMs })
    const three = metricsOf(createSqliteStore({ file }))
    three.ledger.atMs = one.ledger.atMs
    expect([await valueAt(one), await valueAt(two), await valueAt(three)]).toEqual([5, 5, 5])
    await spend(one.ledger, 'run', 'm', 7 * USD)
    expect([await valueAt(one), await valueAt(two), await valueAt(three)]).toEqual([7, 7, 7])
    for (const { ledger } of [one, two, three]) await ledger.store.dispose()
  })

  it('write nothing to the ledger unless a sum may be lowered', async () => {
    const { ledger, metrics } = metricsOf(createMemoryStore())
    await ledger.open('run')
    await spend(ledger, 'run', 'm', USD)
    await metrics.scrape()
    expect(await ledger.store.leased({ lease: 'metrics' })).toBe(null)
  })

  it('ignore what something else has kept in the ledger', async () => {
    for (const text of [
      '{',
      'null',
      '[1,{"labels":{}},{"labels":{"agent_type":"","call":"model","name":"m"},"shown":{"cost":-1}}]',
    ]) {
      const { ledger, metrics } = metricsOf(createMemoryStore())
      await ledger.store.lease({ lease: 'metrics', holder: 'x', forMs: 0, text, atMs: ledger.atMs })
      await ledger.open('run')
      await spend(ledger, 'run', 'm', USD)
      expect(readExposition(await metrics.scrape()).get(costOf('m'))).toBe(1)
    }
  })

  it('are bounded: labels beyond the bound are counted together', () => {
    const usage = createUsageCounters(3)
    const sum = (name: string, cost: number) => ({
      hourMs: 0,
      rootId: 'r',
      payerId: 'r',
      agentType: null,
      call: 'model' as const,
      name,
      calls: 1,
      amounts: { cost },
      costs: {},
    })
    usage.keep(['a', 'b', 'c', 'd', 'e'].map((name) => sum(name, USD)))
    const families = usage.families([sum('a', USD), sum('f', USD)])
    const cost = families.find(({ name }) => name === 'stint_cost_usd_total')!
    expect(cost.samples.map(({ labels, value }) => `${labels.name} ${value}`)).toEqual([
      'a 2.000000000',
      'b 1.000000000',
      'c 1.000000000',
      'other 3.000000000',
    ])
  })

  it('count the events of this process, with bounded labels', async () => {
    const store = createMemoryStore()
    const metrics = createMetrics({ store, nowMs: Date.now, webhooks: ['ops'] })
    const governor = createGovernor({ store, onEvent: metrics.listener })
    const run = await governor.open({ name: 'run', limits: { toolCalls: 2 } })
    for (let call = 0; call < 3; call++) await run.callTool({ name: 'read' }, () => 'text')
    await governor.close()
    const samples = readExposition(await metrics.scrape())
    expect(samples.get('stint_alerts_total{"rule":"tool-calls-80"}')).toBe(1)
    expect(samples.get('stint_limits_exceeded_total{"meter":"toolCalls","action":"terminate"}')).toBe(1)
    expect(samples.get('stint_webhook_failing{"webhook":"ops"}')).toBe(0)
    expect(samples.get('stint_requests_open{}')).toBe(0)
  })
})
