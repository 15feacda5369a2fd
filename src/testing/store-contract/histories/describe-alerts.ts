import type { EndStatus, EventOf } from '../../../core/index.ts'
import type { Contract } from '../contract.ts'
import type { ContractLedger } from '../contract-ledger.ts'
import { limitOn } from '../limit-on.ts'

const MINUTE_MS = 60_000
const USD = 1_000_000_000

/** The alerts that are raised by default, in the operation that makes them true. */
export function describeAlerts({ describe, test, expect }: Contract): void {
  describe('an alert', () => {
    test('D8: is raised once when a tree spends more than $10 in an hour, with its scope and rate', async (ledger) => {
      await ledger.open('team')
      await ledger.open('team/run')
      await ledger.spend('team/run', { cost: 6 * USD })
      ledger.atMs += 20 * MINUTE_MS
      await ledger.spend('team', { cost: 4 * USD })
      expect(await alertsIn(ledger, 'team')).toEqual([])
      await ledger.spend('team/run', { cost: 1 })
      await ledger.spend('team/run', { cost: 90 * USD })
      expect(await alertsIn(ledger, 'team')).toMatchObject([
        {
          scope: 'team',
          scope_path: 'team',
          rule: 'cost-per-hour',
          limit_kind: 'cost',
          value: 10 * USD + 1,
          threshold: 10 * USD,
          window_ms: 60 * MINUTE_MS,
          message: 'More than $10.00 in an hour: $10.000000001',
        },
      ])
    })

    test('about a rate is raised again when an hour has passed, and only then', async (ledger) => {
      await ledger.open('run')
      const times: number[] = []
      for (let minute = 0; minute < 240; minute += 10) {
        await ledger.spend('run', { cost: 5 * USD })
        const raised = (await alertsIn(ledger, 'run')).length
        if (raised > times.length) times.push(minute)
        ledger.atMs += 10 * MINUTE_MS
      }
      expect(times).toEqual([20, 80, 140, 200])
    })

    test('is not raised by what was spent more than an hour ago, or in another tree', async (ledger) => {
      for (const path of ['a', 'b']) await ledger.open(path)
      for (let step = 0; step < 6; step++) {
        await ledger.spend('a', { cost: 9 * USD })
        await ledger.spend('b', { cost: 1 * USD })
        ledger.atMs += 61 * MINUTE_MS
      }
      expect(await alertsIn(ledger, 'a')).toEqual([])
      expect(await alertsIn(ledger, 'b')).toEqual([])
    })

    test('counts what a dead process is charged, and of a correction only what is more', async (ledger) => {
      await ledger.open('run')
      await ledger.reserve('run', { cost: 9 * USD }, { reservationId: 'a', holder: 'dead' })
      await ledger.reserve('run', { cost: 1 * USD }, { reservationId: 'b' })
      await ledger.settle('b', { assumed: true })
      await ledger.settle('b', { actual: { cost: 0 } })
      expect(await alertsIn(ledger, 'run')).toEqual([])
      await ledger.store.assume({ holder: 'dead', atMs: ledger.atMs })
      expect(await alertsIn(ledger, 'run')).toEqual([])
      await ledger.settle('a', { actual: { cost: 9 * USD + 1 } })
      expect(await alertsIn(ledger, 'run')).toMatchObject([{ rule: 'cost-per-hour', value: 10 * USD + 1 }])
    })

    test('survives a clock that jumps, in either direction', async (ledger) => {
      await ledger.open('run')
      await ledger.spend('run', { cost: 8 * USD })
      ledger.atMs += 400 * 24 * 60 * MINUTE_MS
      await ledger.spend('run', { cost: 8 * USD })
      ledger.atMs -= 400 * 24 * 60 * MINUTE_MS
      await ledger.spend('run', { cost: 8 * USD })
      expect(await alertsIn(ledger, 'run')).toEqual([])
      ledger.atMs -= 10 * MINUTE_MS
      await ledger.spend('run', { cost: 8 * USD })
      expect(await alertsIn(ledger, 'run')).toMatchObject([{ value: 16 * USD }])
    })

    test('is raised once when 80% of the tool calls of a scope are used, and again after a raise', async (ledger) => {
      await ledger.open('run', [limitOn('toolCalls', 10)])
      await ledger.open('run/child', [limitOn('toolCalls', 5)])
      for (let call = 0; call < 3; call++) await ledger.spend('run/child', { toolCalls: 1 })
      expect(await alertsIn(ledger, 'run')).toEqual([])
      await ledger.spend('run/child', { toolCalls: 1 })
      await ledger.spend('run/child', { toolCalls: 1 })
      for (let call = 0; call < 4; call++) await ledger.spend('run', { toolCalls: 1 })
      expect(await alertsIn(ledger, 'run')).toMatchObject([
        { scope: 'run/child', rule: 'tool-calls-80', value: 4, threshold: 4, window_ms: null },
        { scope: 'run', rule: 'tool-calls-80', value: 8, message: '80% of toolCalls is used: 8 of 10' },
      ])
      const limits = [limitOn('toolCalls', 20)]
      await ledger.store.setLimits({ scopeId: 'run', limits, atMs: ledger.atMs })
      for (let call = 0; call < 10; call++) await ledger.spend('run', { toolCalls: 1 })
      expect((await alertsIn(ledger, 'run')).map(({ value }) => value)).toEqual([4, 8, 16])
    })

    test('about a limit with a period is raised once in each window', async (ledger) => {
      await ledger.open('team', [limitOn('toolCalls', 5, { per: 'hour' })])
      for (let hour = 0; hour < 3; hour++) {
        for (let call = 0; call < 5; call++) await ledger.spend('team', { toolCalls: 1 })
        ledger.atMs += 60 * MINUTE_MS
      }
      expect((await alertsIn(ledger, 'team')).map(({ value }) => value)).toEqual([4, 4, 4])
    })

    test('is raised once when 80% of the time of a scope is used, whatever says so', async (ledger) => {
      await ledger.open('run', [limitOn('time', 1_000), limitOn('time', 5_000, { per: 'day' })])
      await ledger.store.note({ scopeId: 'run', activeMs: 799, atMs: ledger.atMs })
      expect(await alertsIn(ledger, 'run')).toEqual([])
      await ledger.store.note({ scopeId: 'run', activeMs: 801, atMs: ledger.atMs })
      await ledger.reserve('run', { toolCalls: 1 }, { reservationId: 'a', activeMs: 850 })
      await ledger.settle('a', { activeMs: 900 })
      await ledger.store.close({ scopeId: 'run', status: 'completed', activeMs: 5_000, atMs: ledger.atMs })
      expect(await alertsIn(ledger, 'run')).toMatchObject([
        { rule: 'time-80', value: 801, threshold: 800, message: '80% of time is used: 801ms of 1s' },
      ])
    })

    test('is raised once when more than five agents of any trees ended at a limit in an hour', async (ledger) => {
      await ledger.open('plan', [], { kind: 'group' })
      for (const path of ['plan/1', 'plan/2', '3', '4', '5', '6', '7', '8']) await ledger.open(path)
      const end = (scopeId: string, status: EndStatus) => ledger.store.close({ scopeId, status, atMs: ledger.atMs })
      for (const path of ['plan/1', 'plan/2', '3', '4']) await end(path, 'limit-reached')
      await end('plan', 'limit-reached')
      await end('5', 'failed')
      await end('6', 'timed-out')
      expect(await allAlerts(ledger, ['plan', '3', '4', '5', '6'])).toEqual([])
      await end('7', 'limit-reached')
      await end('7', 'limit-reached')
      await end('8', 'limit-reached')
      expect(await allAlerts(ledger, ['plan', '3', '4', '5', '6', '7', '8'])).toMatchObject([
        { scope: '7', rule: 'terminations-per-hour', limit_kind: null, value: 6, threshold: 5 },
      ])
    })
  })
}

type Alert = EventOf<'alert_raised'>

async function alertsIn(ledger: ContractLedger, scopeId: string): Promise<readonly Alert[]> {
  const page = await ledger.store.history({ scopeId, kinds: ['alert_raised'], atMs: ledger.atMs })
  if (page.kind !== 'page') throw new Error(`expected a page, got ${page.kind}`)
  return page.entries.flatMap(({ event }) => (event.event === 'alert_raised' ? [event] : []))
}

async function allAlerts(ledger: ContractLedger, scopeIds: readonly string[]): Promise<readonly Alert[]> {
  const alerts: Alert[] = []
  for (const scopeId of scopeIds) alerts.push(...(await alertsIn(ledger, scopeId)))
  return alerts
}
