import { expect, it } from 'vitest'
import type { AlertDraft, AlertRule, Limit } from '../../core/index.ts'
import { createContractLedger } from '../../testing/store-contract/contract-ledger.ts'
import { limitOn } from '../../testing/store-contract/limit-on.ts'
import { createMemoryStore } from './create-memory-store.ts'

function ledgerWith(alerts: readonly AlertRule[]) {
  const store = createMemoryStore({ alerts })
  const told: AlertDraft[] = []
  store.onAlert((alert) => told.push(alert))
  return { ...createContractLedger(store), store, told }
}

const limits: readonly Limit[] = [limitOn('toolCalls', 10, { nearing: [0.8] })]

it('a share is noticed immediately, before and after the limit’s own thresholds', async () => {
  const ledger = ledgerWith([
    { name: 'half', meter: 'toolCalls', share: 0.5 },
    { name: 'nearly', meter: 'toolCalls', share: 0.9 },
    { name: 'all', meter: 'toolCalls', share: 1 },
  ])
  await ledger.open('run', limits)
  const raised: string[] = []
  for (let call = 1; call <= 10; call++) {
    await ledger.spend('run', { toolCalls: 1 })
    for (const { rule } of ledger.told.splice(0)) raised.push(`${call} ${rule}`)
  }
  expect(raised).toEqual(['5 half', '9 nearly', '10 all'])
})

it('rules about the same rate share its count, and each is raised at its own amount', async () => {
  const ledger = ledgerWith([
    { name: 'some', meter: 'tokens', above: 10, per: 'hour' },
    { name: 'many', meter: 'tokens', above: 20, per: 'hour' },
    { name: 'in a day', meter: 'tokens', above: 24, per: 'day' },
  ])
  await ledger.open('run')
  for (let call = 0; call < 25; call++) await ledger.spend('run', { tokens: 1 })
  expect(ledger.told.map(({ rule, value }) => `${value} ${rule}`)).toEqual(['11 some', '21 many', '25 in a day'])
})

it('opened children count for a rate and a share of spawns', async () => {
  const ledger = ledgerWith([
    { name: 'half', meter: 'spawns', share: 0.5 },
    { name: 'many', meter: 'spawns', above: 2, per: 'hour' },
  ])
  await ledger.open('run', [limitOn('spawns', 4)])
  for (const child of ['a', 'b', 'c']) await ledger.open(`run/${child}`)
  expect(ledger.told.map(({ rule, value }) => `${value} ${rule}`)).toEqual(['2 half', '3 many'])
})

it('nothing is raised without rules, and a listener that throws or is gone changes nothing', async () => {
  const ledger = ledgerWith([])
  await ledger.open('run', limits)
  for (let call = 0; call < 10; call++) await ledger.spend('run', { toolCalls: 1 })
  expect(ledger.told).toEqual([])

  const store = createMemoryStore()
  const heard: string[] = []
  store.onAlert(() => {
    throw new Error('a broken listener')
  })
  const stop = store.onAlert(({ rule }) => heard.push(rule))
  const other = createContractLedger(store)
  await other.open('run', limits)
  for (let call = 0; call < 9; call++) await other.spend('run', { toolCalls: 1 })
  expect(await other.settled('run', 'toolCalls')).toBe(9)
  expect(heard).toEqual(['tool-calls-80'])
  stop()
  await other.store.setLimits({ scopeId: 'run', limits: [limitOn('toolCalls', 11)], atMs: other.atMs })
  await other.spend('run', { toolCalls: 1 })
  expect(heard).toEqual(['tool-calls-80'])
})

it('invalid rules are refused when the store is created', () => {
  const rules = JSON.parse('[{ "name": "x", "meter": "depth", "share": 0.5 }]')
  expect(() => createMemoryStore({ alerts: rules })).toThrow('createMemoryStore({ alerts })[0].meter is "depth"')
})
