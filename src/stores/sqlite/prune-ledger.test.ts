import { describe, expect, it } from 'vitest'
import { limitFixture } from '../../core/limits/limit.fixture.ts'
import { createContractLedger } from '../../testing/store-contract/contract-ledger.ts'
import { editLedger, ledgerFile, NOON, openLedger, readAll, usedLedger, valueIn } from './ledger-file.fixture.ts'
import { pruneLedger } from './prune-ledger.ts'
import { verifyLedger } from './verify/verify-ledger.ts'

const ALL = { beforeMs: NOON + 1, atMs: NOON + 1 }
const countOf = (file: string, table: string): unknown => valueIn(file, `SELECT count(*) FROM ${table}`)

describe('pruning', () => {
  it('deletes what has ended, and never a total', async () => {
    const file = await usedLedger()
    const before = await readAll(openLedger(file))
    const report = { file, roots: 2, scopes: 1, reservations: 41, entries: 90, events: 8, beforeMs: ALL.beforeMs }
    expect(pruneLedger(file, ALL)).toMatchObject(report)
    const after = await readAll(openLedger(file))
    expect(after).toEqual(before.filter(({ id }) => id !== 'team/old'))
    expect(after[0]!.totals.tokens.settled).toBe(410)
    expect(countOf(file, 'journal')).toBe(5)
    expect(verifyLedger(file)).toMatchObject({ ok: true, problems: [], scopes: 4 })
  })

  it('keeps everything in flight, assumed, requested or paused, which then continues', async () => {
    const file = await usedLedger()
    pruneLedger(file, ALL)
    const ledger = createContractLedger(openLedger(file))
    expect(await ledger.settle('in flight', { actual: { tokens: 7, cost: 5 } })).toMatchObject({ kind: 'settled' })
    expect(await ledger.settle('orphan', { actual: { tokens: 1 } })).toMatchObject({ kind: 'corrected' })
    expect(await ledger.answer('more', 'approved')).toMatchObject({ kind: 'answered' })
    expect(await ledger.resume('team/run/agent')).toMatchObject({ document: 'what it needs to go on', activeMs: 1_234 })
    expect(await ledger.settled('team', 'tokens')).toBe(417)
    expect(verifyLedger(file).problems).toEqual([])
  })

  it('forgets what an ended root was for, since it stays: its totals are stored nowhere else', async () => {
    const file = ledgerFile()
    const ledger = createContractLedger(openLedger(file))
    for (const id of ['old', 'young', 'open']) {
      await ledger.open(id, [], { about: { task: `what ${id} was for` } })
      await ledger.spend(id, { tokens: 5 })
    }
    await ledger.close('old')
    ledger.atMs += 10
    await ledger.close('young')
    await ledger.store.dispose()
    // As an earlier version left it.
    editLedger(file, "INSERT INTO documents VALUES ('old', 'a conversation')")
    expect(pruneLedger(file, { ...ALL, isDryRun: true })).toMatchObject({ wasDue: true, roots: 3, scopes: 0 })
    pruneLedger(file, ALL)
    const reading = createContractLedger(openLedger(file))
    const about = await Promise.all(['old', 'young', 'open'].map(async (id) => (await reading.read(id)).about))
    expect(about).toEqual([null, { task: 'what young was for' }, { task: 'what open was for' }])
    expect(await reading.store.document({ scopeId: 'old' })).toBe(null)
    expect(await reading.settled('old', 'tokens')).toBe(5)
    expect(verifyLedger(file).problems).toEqual([])
  })

  it('counts a tree that only lost events, and says when it was not due', async () => {
    const file = ledgerFile()
    const ledger = createContractLedger(openLedger(file))
    await ledger.open('run')
    await ledger.close('run')
    await ledger.store.dispose()
    expect(pruneLedger(file, { ...ALL, everyMs: 1_000 })).toMatchObject({
      wasDue: true,
      roots: 1,
      entries: 0,
      events: 2,
    })
    expect(pruneLedger(file, { ...ALL, everyMs: 1_000 })).toMatchObject({ wasDue: false, roots: 0, events: 0 })
  })

  it('answers an older cursor with the state of the tree and a new cursor', async () => {
    const file = await usedLedger()
    const ledger = createContractLedger(openLedger(file))
    ledger.atMs = NOON + 10
    const since = (cursor: number) => ledger.store.history({ scopeId: 'team', since: cursor, atMs: ledger.atMs })
    expect(await since(0)).toMatchObject({ kind: 'page' })
    await ledger.spend('team/run', { tokens: 3 })
    pruneLedger(file, ALL)
    const reset = await since(0)
    if (reset.kind !== 'reset') throw new Error(`expected a reset, got ${reset.kind}`)
    const open = await ledger.store.list({ standing: 'open', atMs: ledger.atMs })
    expect(reset.scopes).toEqual(open.filter(({ id }) => id !== 'solo'))
    expect(await since(reset.cursor)).toEqual({ kind: 'page', entries: [], cursor: reset.cursor, hasMore: false })
    await ledger.spend('team/run', { tokens: 4 })
    const next = await since(reset.cursor)
    expect(next).toMatchObject({ kind: 'page', entries: [{ number: reset.cursor + 1 }], cursor: reset.cursor + 1 })
    // A cursor that has seen everything that was pruned misses nothing.
    const kept = await since(reset.cursor - 1)
    expect(kept).toMatchObject({ kind: 'page', entries: [{ number: reset.cursor }, { number: reset.cursor + 1 }] })
    expect(verifyLedger(file).problems).toEqual([])
  })

  it('does nothing if nothing is old enough', async () => {
    const file = await usedLedger()
    expect(pruneLedger(file, { beforeMs: NOON, atMs: NOON })).toMatchObject({ roots: 0, scopes: 0, entries: 0 })
    expect(verifyLedger(file)).toMatchObject({ ok: true, entries: 94 })
  })

  it('keeps younger finished reservations: they are recognized, and damage to them is found', async () => {
    const file = await usedLedger()
    const ledger = createContractLedger(openLedger(file))
    ledger.atMs = NOON + 10
    await ledger.reserve('team/run', { tokens: 3 }, { reservationId: 'young' })
    await ledger.settle('young')
    expect(pruneLedger(file, ALL)).toMatchObject({ reservations: 41 })
    expect(verifyLedger(file).problems).toEqual([])
    expect(await ledger.settle('young')).toMatchObject({ kind: 'duplicate', charged: { tokens: 3 } })
    await ledger.reserve('team/run', { tokens: 4 }, { reservationId: 'younger' })
    await ledger.settle('younger')
    expect(verifyLedger(file).problems).toEqual([])
    editLedger(file, "UPDATE calls SET charged = replace(charged, '3', '2') WHERE id = 'young'")
    expect(verifyLedger(file).problems).toMatchObject([
      { place: 'reservations', problem: 'of team are not those that were finished at its checkpoint (1 of 1)' },
    ])
  })

  it('keeps the chain intact when repeated', async () => {
    const file = await usedLedger()
    const ledger = createContractLedger(openLedger(file))
    for (let round = 1; round <= 5; round++) {
      await ledger.open(`team/round ${round}`, [limitFixture('tokens', 100)])
      await ledger.reserve(`team/round ${round}`, { tokens: round }, { reservationId: `round ${round}` })
      await ledger.settle(`round ${round}`)
      await ledger.close(`team/round ${round}`)
      expect(pruneLedger(file, ALL)).toMatchObject({ scopes: round === 1 ? 2 : 1 })
      expect(verifyLedger(file).problems).toEqual([])
    }
    expect(await ledger.settled('team', 'tokens')).toBe(410 + 15)
  })

  it('keeps an ended scope while something below it, or one of its calls, has not ended', async () => {
    const file = await usedLedger()
    const ledger = createContractLedger(openLedger(file))
    await ledger.open('team/outer')
    await ledger.open('team/outer/inner')
    await ledger.close('team/outer')
    await ledger.open('team/late')
    await ledger.reserve('team/late', { tokens: 9 }, { reservationId: 'late' })
    await ledger.close('team/late')
    pruneLedger(file, ALL)
    const ids = (await readAll(ledger.store)).map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(['team/outer', 'team/outer/inner', 'team/late']))
    expect(await ledger.settle('late')).toMatchObject({ kind: 'settled' })
    expect(verifyLedger(file).problems).toEqual([])
  })

  it('does not disturb a process that has everything in memory: it sees the same as a later one, and continues', async () => {
    const file = await usedLedger()
    const warm = createContractLedger(openLedger(file))
    await warm.open('team/going', [limitFixture('tokens', 100)])
    await warm.open('team/done')
    await warm.reserve('team/going', { tokens: 5 }, { reservationId: 'going' })
    await warm.close('team/done')
    expect((await readAll(warm.store)).map(({ id }) => id)).toContain('team/done')

    pruneLedger(file, ALL)
    expect(await warm.store.read({ scopeId: 'team/done', atMs: NOON })).toBe(null)
    expect(await warm.settle('going', { actual: { tokens: 4 } })).toMatchObject({ kind: 'settled' })
    expect(await warm.reserve('team/going', { tokens: 96 }, { reservationId: 'next' })).toMatchObject({
      kind: 'granted',
    })
    expect(await warm.reserve('team/going', { tokens: 1 }, { reservationId: 'over' })).toMatchObject({
      kind: 'breached',
    })
    expect(await warm.settle('next')).toMatchObject({ kind: 'settled' })
    expect(await warm.open('team/fresh')).toMatchObject({ kind: 'opened', created: ['team/fresh'] })
    expect(await readAll(warm.store)).toEqual(await readAll(openLedger(file)))
    expect(await warm.settled('team', 'tokens')).toBe(510)
    expect(verifyLedger(file).problems).toEqual([])
  })

  it('I2: detects and names damage to a checkpoint, and refuses to open such a ledger', async () => {
    const file = await usedLedger()
    pruneLedger(file, ALL)
    const entry = valueIn(file, "SELECT entry FROM journal WHERE root = 'team'")
    editLedger(file, `UPDATE journal SET body = replace(body, '"reserved":77', '"reserved":7') WHERE entry = ${entry}`)
    expect(verifyLedger(file).problems[0]).toMatchObject({ place: 'journal', row: `${entry} (of team)` })
    expect(() => openLedger(file)).toThrow(`entry ${entry} of its journal was changed`)
  })
})
