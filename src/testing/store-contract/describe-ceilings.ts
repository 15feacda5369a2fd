import { balanceKey, type Limit, type Meter } from '../../core/index.ts'
import type { Contract } from './contract.ts'
import type { ContractLedger } from './contract-ledger.ts'
import { limitOn } from './limit-on.ts'

const ceilingOn = (meter: Meter, max: number, more: Partial<Limit> = {}): Limit =>
  limitOn(meter, max, { source: { layer: 'ceiling', written: meter }, ...more })

/** Ceilings are part of a scope, regardless of changes to its limits. */
export function describeCeilings({ describe, test, expect }: Contract): void {
  const maxima = async (ledger: ContractLedger, path: string) =>
    (await ledger.read(path)).limits.map(({ limit }) => [limit.meter, limit.max])
  const write = (ledger: ContractLedger, scopeId: string, limits: readonly Limit[], more: object = {}) =>
    ledger.store.setLimits({ scopeId, limits, atMs: ledger.atMs, ...more })

  describe('a ceiling of a scope', () => {
    test('is kept with it, even if no limit has reached it', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 10)], { ceilings: [ceilingOn('tokens', 50)] })
      expect((await ledger.read('run')).ceilings).toEqual([ceilingOn('tokens', 50)])
      expect(await maxima(ledger, 'run')).toEqual([['tokens', 10]])
    })

    test('holds from the start: a limit above it is cut, and without a limit it is the limit', async (ledger) => {
      const ceilings = [ceilingOn('tokens', 50), ceilingOn('toolCalls', 3)]
      await ledger.open('run', [limitOn('tokens', 80)], { ceilings })
      expect(await maxima(ledger, 'run')).toEqual([
        ['toolCalls', 3],
        ['tokens', 50],
      ])
      expect((await ledger.reserve('run', { tokens: 51 })).kind).toBe('breached')
    })

    test('J3: bounds every written limit, and stays when a limit is removed', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 10)], { ceilings: [ceilingOn('tokens', 50)] })
      await write(ledger, 'run', [limitOn('tokens', 1_000)])
      expect(await maxima(ledger, 'run')).toEqual([['tokens', 50]])
      expect((await ledger.reserve('run', { tokens: 51 })).kind).toBe('breached')
      await write(ledger, 'run', [])
      expect((await ledger.read('run')).limits).toMatchObject([{ limit: ceilingOn('tokens', 50) }])
      await write(ledger, 'run', [ceilingOn('tokens', 70)])
      expect(await maxima(ledger, 'run')).toEqual([['tokens', 50]])
      expect((await ledger.read('run')).ceilings).toMatchObject([{ max: 50 }])
    })

    test('a raise that it cut and whose answer was lost does not conflict when it is repeated', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 10)], { ceilings: [ceilingOn('tokens', 50)] })
      const { revision: expectedRevision } = await ledger.read('run')
      const raise = async () => (await write(ledger, 'run', [limitOn('tokens', 1_000)], { expectedRevision })).kind
      expect([await raise(), await raise()]).toEqual(['written', 'written'])
      expect((await ledger.read('run')).revision).toBe(expectedRevision + 1)
    })

    test('J3: bounds approvals, and allows none once it is reached', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 10)], { ceilings: [ceilingOn('tokens', 50)] })
      await ledger.ask('run', 'tokens', 1_000, { requestId: 'first' })
      const answered = await ledger.answer('first', 'approved')
      expect(answered).toMatchObject({ kind: 'answered', request: { status: 'approved', granted: 40 } })
      expect(await maxima(ledger, 'run')).toEqual([['tokens', 50]])
      await ledger.ask('run', 'tokens', 1, { requestId: 'second' })
      expect(await ledger.answer('second', 'approved')).toMatchObject({ request: { status: 'denied', granted: null } })
    })

    test('is not raised by an approval if it is the limit itself', async (ledger) => {
      const ceiling = ceilingOn('tokens', 80, { action: 'ask' })
      await ledger.open('run', [ceiling, limitOn('tokens', 80, { action: 'warn' })])
      await ledger.ask('run', 'tokens', 10, { requestId: 'more', key: balanceKey('run', ceiling) })
      expect(await ledger.answer('more', 'approved')).toMatchObject({ request: { status: 'denied', granted: null } })
      expect((await ledger.read('run')).limits.map(({ limit }) => limit.max)).toEqual([80, 80])
    })

    test('J3: outlives its owner, and a process that adopts the scope may tighten it but not loosen it', async (ledger) => {
      const ceilings = [ceilingOn('tokens', 50), ceilingOn('toolCalls', 20)]
      await ledger.open('run', [limitOn('tokens', 10), limitOn('toolCalls', 9)], { owner: 'first', ceilings })
      await ledger.store.assume({ holder: 'first', atMs: ledger.atMs })
      const others = [ceilingOn('tokens', 1_000), ceilingOn('toolCalls', 5)]
      expect(await ledger.open('run', [], { owner: 'second', ceilings: others })).toMatchObject({ adopted: ['run'] })
      expect((await ledger.read('run')).ceilings.map(({ meter, max }) => [meter, max])).toEqual([
        ['toolCalls', 5],
        ['tokens', 50],
      ])
      expect(await maxima(ledger, 'run')).toEqual([
        ['toolCalls', 5],
        ['tokens', 10],
      ])
      await write(ledger, 'run', [limitOn('tokens', 999), limitOn('toolCalls', 999)])
      expect(await maxima(ledger, 'run')).toEqual([
        ['toolCalls', 5],
        ['tokens', 50],
      ])
    })

    test('J3: holds after a pause that another process lifts', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 10)], { owner: 'first', ceilings: [ceilingOn('tokens', 50)] })
      await ledger.pause('run')
      await ledger.resume('run', { owner: 'second' })
      await write(ledger, 'run', [limitOn('tokens', 500)])
      expect(await maxima(ledger, 'run')).toEqual([['tokens', 50]])
    })

    test('that only warns bounds no limit that stops, and a daily one bounds only days of its own time zone', async (ledger) => {
      const warning = ceilingOn('tokens', 50, { action: 'warn' })
      const daily = ceilingOn('cost', 5, { per: 'day', timeZone: 'Asia/Tokyo' })
      await ledger.open('run', [limitOn('tokens', 100)], { ceilings: [warning, daily] })
      await write(ledger, 'run', [limitOn('tokens', 200), limitOn('cost', 9, { per: 'day' })])
      const standing = (await ledger.read('run')).limits.map(({ limit }) => `${limit.meter} ${limit.max}`)
      expect(standing.toSorted()).toEqual(['cost 5', 'cost 9', 'tokens 200', 'tokens 50'])
    })

    test('exists for budgets and runs alike, and only if one was set', async (ledger) => {
      await ledger.open('team', [limitOn('tokens', 10)], { kind: 'lasting', owner: null })
      await write(ledger, 'team', [limitOn('tokens', 1_000)])
      expect(await maxima(ledger, 'team')).toEqual([['tokens', 1_000]])
      expect((await ledger.read('team')).ceilings).toEqual([])
    })

    test('is refused unless its layer is `ceiling`', async (ledger) => {
      const open = ledger.open('run', [], { ceilings: [limitOn('tokens', 50)] })
      await expect(open).rejects.toThrow(/ceilings\[0\]\.source\.layer is "call", but must be "ceiling"/)
    })
  })
}
