import type { Contract } from './contract.ts'
import type { ContractLedger } from './contract-ledger.ts'
import { limitOn } from './limit-on.ts'

/** Holders that die, and what they leave behind. */
export function describeHolders({ describe, test, expect }: Contract): void {
  describe('a holder that died', () => {
    test('has its open reservations charged in full and its holds and places freed, and real usage corrects that once', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 1_000), limitOn('concurrency', 1)])
      await ledger.open('run/child', [], { owner: 'dead', hold: { wanted: { tokens: 100 }, smallest: {} } })
      await ledger.reserve('run/child', { tokens: 400 }, { reservationId: 'orphan', holder: 'dead' })
      await ledger.reserve('run', { tokens: 50 }, { reservationId: 'alive' })
      const assumed = await ledger.store.assume({ holder: 'dead', atMs: ledger.atMs })
      expect(assumed).toMatchObject({
        reservations: [{ reservationId: 'orphan', charged: { tokens: 400 } }],
        orphanedScopes: ['run/child'],
      })
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 400, reserved: 50, held: 0 })
      expect((await ledger.open('run/next')).kind).toBe('opened')
      const settle = (tokens: number) =>
        ledger.store.settle({ reservationId: 'orphan', actual: { tokens }, atMs: ledger.atMs }).then(({ kind }) => kind)
      expect([await settle(120), await settle(120), await settle(400)]).toEqual(['corrected', 'duplicate', 'conflict'])
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 120, reserved: 50 })
      expect((await ledger.store.assume({ holder: 'dead', atMs: ledger.atMs })).reservations).toEqual([])
    })
  })

  describe('a scope that a living owner loses to another', () => {
    const hold = { wanted: { tokens: 100 }, smallest: {} }
    const takeOver = (ledger: ContractLedger, path: string, owner: string) =>
      ledger.open(path, [], { owner, takesOver: true })

    test('keeps its place, its hold and its document; only the death of the new owner matters', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 1_000), limitOn('concurrency', 1), limitOn('spawns', 1)])
      await ledger.open('run/talk', [], { owner: 'first', hold })
      await ledger.store.note({ scopeId: 'run/talk', document: 'so far', atMs: ledger.atMs })
      expect(await ledger.open('run/talk', [], { owner: 'second' })).toMatchObject({ created: [], adopted: [] })
      expect(await takeOver(ledger, 'run/talk', 'second')).toMatchObject({ created: [], adopted: ['run/talk'] })
      expect(await takeOver(ledger, 'run/talk', 'second')).toMatchObject({ created: [], adopted: [] })
      expect(await ledger.second.document({ scopeId: 'run/talk' })).toBe('so far')
      expect((await ledger.limit('run', 'tokens')).held).toBe(100)
      expect(await ledger.read('run')).toMatchObject({ openChildren: 1, totals: { spawns: { settled: 1 } } })
      const assume = (holder: string) => ledger.store.assume({ holder, atMs: ledger.atMs })
      expect((await assume('first')).orphanedScopes).toEqual([])
      expect((await ledger.limit('run', 'tokens')).held).toBe(100)
      expect((await assume('second')).orphanedScopes).toEqual(['run/talk'])
      // From an owner that died it is adopted, as always: with a place and a hold again.
      expect(await ledger.open('run/talk', [], { owner: 'third', takesOver: true, hold })).toMatchObject({
        adopted: ['run/talk'],
      })
      expect((await ledger.limit('run', 'tokens')).held).toBe(100)
      await expect(takeOver(ledger, 'run/talk', 'first')).rejects.toThrow(/was declared dead/)
    })

    test('is opened if it is new, stays paused if it is, and does not come back once it has ended', async (ledger) => {
      await ledger.open('run')
      expect(await takeOver(ledger, 'run/talk', 'first')).toMatchObject({ created: ['run/talk'], adopted: [] })
      await ledger.pause('run/talk')
      await ledger.pause('run')
      expect(await takeOver(ledger, 'run/talk', 'second')).toMatchObject({ adopted: ['run/talk'] })
      expect(await ledger.read('run/talk')).toMatchObject({ status: 'paused', owner: 'second' })
      // Its pause has freed its place, which only a resume takes again.
      expect(await ledger.read('run')).toMatchObject({ openChildren: 0 })
      await ledger.close('run/talk')
      expect(await takeOver(ledger, 'run/talk', 'first')).toEqual({ kind: 'closed', scopeId: 'run/talk' })
    })

    test('is the first one’s or the second one’s, never both, and its former owner notices', async (ledger) => {
      await ledger.open('run')
      await ledger.open('run/talk', [], { owner: 'first' })
      const { cursor } = await ledger.second.poll({ since: null })
      const owners = ['second', 'third']
      await Promise.all(owners.map((owner) => takeOver(ledger, 'run/talk', owner)))
      expect(owners.includes((await ledger.read('run/talk')).owner ?? '')).toBe(true)
      expect((await ledger.second.poll({ since: cursor })).steered).toEqual(['run/talk'])
    })
  })

  describe('a holder that beats', () => {
    const known = async (ledger: ContractLedger, holder: string) =>
      (await ledger.second.holders()).find((each) => each.holder === holder)
    const beat = (ledger: ContractLedger, holder: string) => ledger.store.beat({ holder, atMs: ledger.atMs })

    test('J5: is known by its number of heartbeats, and the time of the last one by its own clock', async (ledger) => {
      await ledger.open('run', [], { owner: 'far' })
      expect(await known(ledger, 'far')).toEqual({ holder: 'far', beats: 0, beatAtMs: null, diedAtMs: null })
      expect(await beat(ledger, 'far')).toEqual({ kind: 'beating', beats: 1 })
      ledger.atMs += 5_000
      expect(await beat(ledger, 'far')).toEqual({ kind: 'beating', beats: 2 })
      const beatAtMs = ledger.atMs
      expect(await known(ledger, 'far')).toEqual({ holder: 'far', beats: 2, beatAtMs, diedAtMs: null })
    })

    test('J5: is not declared dead by a caller that has counted fewer heartbeats', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100)], { owner: 'far' })
      await ledger.reserve('run', { tokens: 90 }, { reservationId: 'call', holder: 'far' })
      await beat(ledger, 'far')
      const assume = (beats: number) => ledger.store.assume({ holder: 'far', beats, atMs: ledger.atMs })
      expect(await assume(0)).toEqual({ reservations: [], orphanedScopes: [] })
      expect((await beat(ledger, 'far')).kind).toBe('beating')
      expect(await assume(2)).toMatchObject({ reservations: [{ reservationId: 'call' }], orphanedScopes: ['run'] })
    })

    test('J5: starts nothing more once it was declared dead, and its settlements correct what was assumed', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100)], { owner: 'far' })
      await ledger.reserve('run', { tokens: 90 }, { reservationId: 'call', holder: 'far' })
      await ledger.second.assume({ holder: 'far', by: 'ann', reason: 'the container is gone', atMs: ledger.atMs })
      expect(await beat(ledger, 'far')).toEqual({ kind: 'dead', diedAtMs: ledger.atMs })
      await expect(ledger.reserve('run', { tokens: 1 }, { holder: 'far' })).rejects.toThrow(/was declared dead/)
      await expect(ledger.open('other', [], { owner: 'far' })).rejects.toThrow(/was declared dead/)
      await ledger.pause('run')
      await expect(ledger.resume('run', { owner: 'far' })).rejects.toThrow(/was declared dead/)
      expect(await ledger.settle('call', { actual: { tokens: 20 } })).toMatchObject({ kind: 'corrected' })
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 20, reserved: 0 })
      expect(await ledger.open('run', [], { owner: 'far again' })).toMatchObject({ adopted: ['run'] })
    })

    test('is dead even if it had nothing open, and others are not', async (ledger) => {
      await ledger.open('run')
      await ledger.reserve('run', { tokens: 1 }, { holder: 'far' })
      await ledger.store.assume({ holder: 'unknown', atMs: ledger.atMs })
      expect((await beat(ledger, 'unknown')).kind).toBe('dead')
      await expect(ledger.reserve('run', { tokens: 1 }, { holder: 'unknown' })).rejects.toThrow(/was declared dead/)
      expect((await ledger.reserve('run', { tokens: 1 }, { holder: 'far' })).kind).toBe('granted')
    })
  })

  describe('what a death leaves alone', () => {
    test('the holds and places of scopes that others own', async (ledger) => {
      await ledger.open('run', [limitOn('concurrency', 2), limitOn('tokens', 1_000)])
      await ledger.open('run/alive', [], { owner: 'alive', hold: { wanted: { tokens: 100 }, smallest: {} } })
      await ledger.open('run/dead', [], { owner: 'dead' })
      await ledger.store.assume({ holder: 'dead', atMs: ledger.atMs })
      expect((await ledger.read('run')).openChildren).toBe(1)
      expect((await ledger.limit('run', 'tokens')).held).toBe(100)
    })

    test('a scope that is adopted: no second spawn, and its own place and hold again', async (ledger) => {
      await ledger.open('run', [limitOn('concurrency', 1), limitOn('tokens', 100), limitOn('spawns', 1)])
      await ledger.open('run/a', [], { owner: 'first' })
      await ledger.store.assume({ holder: 'first', atMs: ledger.atMs })
      const hold = { wanted: { tokens: 30 }, smallest: {} }
      expect(await ledger.store.hold({ scopeId: 'run/a', ask: hold, atMs: ledger.atMs })).toEqual({ held: {} })
      expect(await ledger.open('run/a', [], { owner: 'second', hold })).toMatchObject({
        created: [],
        adopted: ['run/a'],
      })
      expect(await ledger.read('run')).toMatchObject({ openChildren: 1 })
      expect((await ledger.limit('run', 'tokens')).held).toBe(30)
      expect(await ledger.open('run/a', [], { owner: 'third' })).toMatchObject({ adopted: [] })
      const died = await ledger.store.assume({ holder: 'second', atMs: ledger.atMs })
      expect(died.orphanedScopes).toEqual(['run/a'])
      expect(await ledger.read('run')).toMatchObject({ openChildren: 0 })
      expect((await ledger.limit('run', 'tokens')).held).toBe(0)
    })

    test('a scope that comes back waits for its place like any other', async (ledger) => {
      await ledger.open('run', [limitOn('concurrency', 1)])
      await ledger.open('run/a', [], { owner: 'first' })
      await ledger.store.assume({ holder: 'first', atMs: ledger.atMs })
      await ledger.open('run/b')
      expect(await ledger.open('run/a', [], { owner: 'second' })).toMatchObject({ kind: 'refused', mayFitLater: true })
    })
  })

  describe('what was assumed', () => {
    test('is corrected or forgiven once', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100)])
      for (const reservationId of ['known', 'forgiven']) {
        await ledger.reserve('run', { tokens: 50 }, { reservationId, holder: 'dead' })
      }
      await ledger.store.assume({ holder: 'dead', atMs: ledger.atMs })
      expect((await ledger.reserve('run', { tokens: 1 })).kind).toBe('breached')
      const word = { by: 'ann', reason: 'the provider’s invoice' }
      const known = await ledger.settle('known', { actual: { tokens: 20 }, ...word })
      expect(known).toMatchObject({ kind: 'corrected', scopeId: 'run', charged: { tokens: 20 }, overrun: {} })
      const forgive = () => ledger.store.release({ reservationId: 'forgiven', ...word, atMs: ledger.atMs })
      expect(await forgive()).toMatchObject({ kind: 'corrected', charged: {} })
      expect((await forgive()).kind).toBe('duplicate')
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 20, reserved: 0, remaining: 80 })
      expect(await ledger.store.reservations({ state: 'assumed' })).toEqual([])
      expect(await ledger.store.reservations({ state: 'released' })).toMatchObject([{ id: 'forgiven', charged: {} }])
    })

    test('a call that was cut off is charged its known usage and the worst case of the rest, until it is corrected', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100), limitOn('modelCalls', 5)])
      await ledger.open('run/agent')
      for (const reservationId of ['cut', 'forgiven', 'sure']) {
        await ledger.reserve('run/agent', { tokens: 30, modelCalls: 1 }, { reservationId })
      }
      const assume = (reservationId: string, tokens: number | null) =>
        ledger.settle(reservationId, { actual: tokens === null ? null : { tokens }, assumed: true })
      expect(await assume('cut', 25)).toMatchObject({ kind: 'assumed', charged: { tokens: 25, modelCalls: 1 } })
      expect((await assume('cut', 25)).kind).toBe('duplicate')
      expect(await assume('forgiven', null)).toMatchObject({ kind: 'assumed', charged: { tokens: 30 } })
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 55, reserved: 30, remaining: 15 })
      expect((await ledger.store.reservations({ state: 'assumed' })).map(({ id }) => id)).toEqual(['cut', 'forgiven'])
      expect(await assume('cut', 28)).toMatchObject({ kind: 'corrected', charged: { tokens: 28 } })
      expect((await ledger.settle('cut', { actual: { tokens: 4 } })).kind).toBe('corrected')
      expect((await assume('cut', 28)).kind).toBe('conflict')
      await ledger.store.release({ reservationId: 'forgiven', by: 'ann', reason: 'never billed', atMs: ledger.atMs })
      await ledger.settle('sure', { actual: { tokens: 7 } })
      expect((await assume('sure', null)).kind).toBe('conflict')
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 11, reserved: 0, remaining: 89 })
      expect((await ledger.limit('run', 'modelCalls')).settled).toBe(2)
      expect(await ledger.store.reservations({ state: 'assumed' })).toEqual([])
    })

    test('a holder that dies after its call was cut off is charged for it once', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100)])
      await ledger.reserve('run', { tokens: 30 }, { reservationId: 'cut', holder: 'dead' })
      await ledger.settle('cut', { actual: { tokens: 20 }, assumed: true })
      expect((await ledger.store.assume({ holder: 'dead', atMs: ledger.atMs })).reservations).toEqual([])
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 20, reserved: 0 })
    })

    test('announces the thresholds that the charge passes', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100)])
      await ledger.reserve('run', { tokens: 90 }, { holder: 'dead' })
      const { reservations } = await ledger.store.assume({ holder: 'dead', atMs: ledger.atMs })
      expect(reservations).toMatchObject([{ crossings: [{ crossing: { kind: 'nearing' }, settled: 90 }] }])
    })
  })
}
