import type { HistoryEntry, HistoryOutcome, HistoryRequest } from '../../../core/index.ts'
import type { Contract } from '../contract.ts'
import type { ContractLedger } from '../contract-ledger.ts'
import { limitOn } from '../limit-on.ts'

/** What a ledger remembers: what calls and scopes were for, and what happened, in order. */
export function describeHistory({ describe, test, expect }: Contract): void {
  describe('what is kept of a call', () => {
    const about = {
      call: 'model',
      name: 'a-model',
      provider: 'anthropic',
      phase: 'planning',
      attempt: 2,
      waitedMs: 1_200,
      hint: '[budget: 3 of 20 tool calls left — wrap up soon]',
    } as const
    const result = { ending: 'answered', usage: { inputTokens: 3, cacheReadTokens: 40 }, price: 'table' } as const

    test('is what it was for, how it ended and what it used', async (ledger) => {
      await ledger.open('run')
      await ledger.reserve('run', { tokens: 50 }, { reservationId: 'a', about: { ...about, outputTokens: 9 } })
      const [open] = await ledger.store.reservations({ state: 'open' })
      expect(open).toMatchObject({ about: { ...about, outputTokens: 9 }, result: null, endedAtMs: null })
      ledger.atMs += 250
      await ledger.settle('a', { actual: { tokens: 43 }, result })
      const [settled] = await ledger.store.reservations({ state: 'settled' })
      expect(settled).toMatchObject({ about, result, endedAtMs: ledger.atMs, atMs: ledger.atMs - 250 })
    })

    test('is cut or left out if it is invalid, and never refused', async (ledger) => {
      await ledger.open('run')
      const odd = untyped({ call: 'else', name: 'x'.repeat(900), provider: 7, attempt: -1, outputTokens: 'many' })
      expect(await ledger.reserve('run', { tokens: 5 }, { reservationId: 'a', about: odd })).toMatchObject({
        kind: 'granted',
      })
      const badResult = untyped({ ending: 'well', usage: { inputTokens: -1, ['y'.repeat(400)]: 3 }, price: 5 })
      expect(await ledger.settle('a', { result: badResult })).toMatchObject({ kind: 'settled' })
      await ledger.reserve('run', { tokens: 5 }, { reservationId: 'b', about: untyped('a call') })
      const [a] = await ledger.store.reservations({ state: 'settled' })
      expect(a!.about).toEqual({ call: 'other', name: `${'x'.repeat(299)}…` })
      expect(a!.result).toEqual({ ending: 'failed', usage: { [`${'y'.repeat(299)}…`]: 3 } })
      expect(await ledger.store.reservations({ state: 'open' })).toMatchObject([{ id: 'b', about: null }])
    })
  })

  describe('what is kept of a scope', () => {
    test('is what it was for and who started it, without keys', async (ledger) => {
      const about = { command: 'claude --api-key sk-ant-0123456789abcdef', task: 'Fix the tests', by: 'ann', host: 'h' }
      await ledger.open('run', [], { about })
      await ledger.open('run/child')
      expect((await ledger.read('run')).about).toEqual({ ...about, command: 'claude --api-key [removed]' })
      expect((await ledger.read('run/child')).about).toBe(null)
    })

    test('may be anything, and is never refused', async (ledger) => {
      await ledger.open('run', [], { about: untyped({ command: 5, task: '', other: 'x', folder: '/a\0b' }) })
      expect((await ledger.read('run')).about).toEqual({ folder: '/a\ufffdb' })
    })
  })

  describe('the history', () => {
    test('has what happened in a tree, numbered in order without gaps', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100)])
      await ledger.open('run/child', [limitOn('tokens', 50)])
      await ledger.reserve('run/child', { tokens: 45 }, { reservationId: 'a', about: { call: 'tool', name: 'read' } })
      ledger.atMs += 1_000
      await ledger.settle('a', { actual: { tokens: 42 } })
      await ledger.pause('run', { reason: 'lunch', by: 'ann' })
      ledger.atMs += 5_000
      await ledger.resume('run', { by: 'bob' })
      await ledger.store.setLimits({ scopeId: 'run', limits: [limitOn('tokens', 200)], by: 'ann', atMs: ledger.atMs })
      await ledger.store.close({ scopeId: 'run/child', status: 'failed', reason: 'no answer', atMs: ledger.atMs })
      const entries = await entriesOf(ledger, { scopeId: 'run' })
      expect(entries.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
      expect(entries.map(({ event }) => event.seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
      expect(entries.map(({ event }) => event)).toMatchObject([
        { event: 'scope_opened', scope: 'run', limits: [{ limit_kind: 'tokens', limit: 100 }] },
        { event: 'scope_opened', scope: 'run/child', parent_scope: 'run', kind: 'agent' },
        { event: 'call_settled', scope: 'run/child', call: 'tool', call_name: 'read', duration_ms: 1_000 },
        { event: 'limit_nearing', scope: 'run/child', used: 42, limit: 50, threshold: 0.8 },
        { event: 'agent_paused', scope: 'run', reason: 'lunch' },
        { event: 'agent_resumed', scope: 'run', by: 'bob', paused_ms: 5_000 },
        { event: 'limit_raised', scope: 'run', limit_before: 100, limit: 200, used: 42, by: 'ann' },
        { event: 'scope_closed', scope: 'run/child', status: 'failed', error: 'no answer' },
      ])
      expect(entries[2]!.call).toMatchObject({ id: 'a', charged: { tokens: 42 }, about: { name: 'read' } })
      expect(entries[3]!.call).toBe(null)
    })

    test('of a scope has only it and what is below it', async (ledger) => {
      for (const path of ['run', 'run/a', 'run/a/b', 'run/c', 'other']) await ledger.open(path)
      for (const path of ['run', 'run/a/b', 'run/c', 'other']) await ledger.spend(path, { tokens: 1 })
      const scopes = async (scopeId: string) =>
        (await entriesOf(ledger, { scopeId })).map(({ number, event }) => [number, event.scope])
      expect(await scopes('run/a')).toEqual([
        [2, 'run/a'],
        [3, 'run/a/b'],
        [6, 'run/a/b'],
      ])
      expect(await scopes('other')).toEqual([
        [1, 'other'],
        [2, 'other'],
      ])
      await expect(ledger.store.history({ scopeId: 'nowhere', atMs: ledger.atMs })).rejects.toThrow(/nowhere/)
    })

    test('is read in pages, from either end, and continues from a cursor', async (ledger) => {
      await ledger.open('run')
      for (let call = 0; call < 6; call++) await ledger.spend('run', { tokens: 1 })
      const page = async (request: Partial<HistoryRequest>) => {
        const outcome = pageIn(await ledger.store.history({ scopeId: 'run', atMs: ledger.atMs, ...request }))
        return [outcome.entries.map(({ number }) => number), outcome.cursor, outcome.hasMore]
      }
      expect(await page({ most: 3 })).toEqual([[1, 2, 3], 3, true])
      expect(await page({ most: 3, since: 3 })).toEqual([[4, 5, 6], 6, true])
      expect(await page({ most: 3, since: 6 })).toEqual([[7], 7, false])
      expect(await page({ since: 7 })).toEqual([[], 7, false])
      expect(await page({ most: 2, latest: true })).toEqual([[6, 7], 7, true])
      expect(await page({ most: 2, latest: true, before: 6 })).toEqual([[4, 5], 5, true])
      expect(await page({ since: 2, before: 5 })).toEqual([[3, 4], 4, false])
      expect(await page({ kinds: ['scope_opened'] })).toEqual([[1], 7, false])
      expect(await page({ kinds: ['call_settled'], most: 2, since: 0 })).toEqual([[2, 3], 3, true])
      expect(await page({ kinds: ['reservation_assumed'], most: 1 })).toEqual([[], 7, false])
      await ledger.spend('run', { tokens: 1 })
      expect(await page({ since: 7 })).toEqual([[8], 8, false])
    })

    test('has a call that was assumed and its correction, each once', async (ledger) => {
      await ledger.open('run')
      for (const reservationId of ['a', 'b']) {
        await ledger.reserve('run', { tokens: 10 }, { reservationId, holder: 'dead' })
      }
      await ledger.store.assume({ holder: 'dead', atMs: ledger.atMs })
      await ledger.settle('a', { actual: { tokens: 6 }, assumed: true })
      await ledger.settle('a', { actual: { tokens: 4 } })
      await ledger.settle('a', { actual: { tokens: 4 } })
      await ledger.store.release({ reservationId: 'b', by: 'ann', reason: 'never sent', atMs: ledger.atMs })
      const told = (await entriesOf(ledger, { scopeId: 'run', since: 1 })).map(({ number, event }) => {
        return event.event === 'call_settled' || event.event === 'reservation_assumed'
          ? [number, event.event, event.reservation, event.charged.tokens ?? 0]
          : [number, event.event]
      })
      expect(told).toEqual([
        [2, 'reservation_assumed', 'a', 10],
        [3, 'reservation_assumed', 'b', 10],
        [4, 'reservation_assumed', 'a', 6],
        [5, 'call_settled', 'a', 4],
        [6, 'call_settled', 'b', 0],
      ])
      const assumed = await entriesOf(ledger, { scopeId: 'run', kinds: ['reservation_assumed'] })
      expect(assumed.map(({ number }) => number)).toEqual([2, 3, 4])
      const corrected = await entriesOf(ledger, { scopeId: 'run', kinds: ['call_settled'] })
      expect(corrected.map(({ number }) => number)).toEqual([5, 6])
    })

    test('has a refused call, and not one that was never sent', async (ledger) => {
      await ledger.open('run')
      for (const reservationId of ['unsent', 'refused', 'unsaid']) {
        await ledger.reserve('run', { tokens: 5 }, { reservationId })
      }
      const { atMs } = ledger
      await ledger.store.release({ reservationId: 'unsent', result: { ending: 'unsent' }, atMs })
      await ledger.store.release({ reservationId: 'refused', result: { ending: 'refused' }, atMs })
      await ledger.store.release({ reservationId: 'unsaid', atMs })
      const told = (await entriesOf(ledger, { scopeId: 'run', since: 1 })).map(({ event }) => event)
      expect(told).toMatchObject([{ event: 'call_settled', reservation: 'refused', refused: true, charged: {} }])
    })

    test('has each threshold, limit and invalid usage once, and requests with their answers', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 10), limitOn('toolCalls', 1)])
      await ledger.reserve('run', { tokens: 9 }, { reservationId: 'a' })
      await ledger.settle('a', { actual: { tokens: 'nine' } })
      await ledger.reserve('run', { tokens: 9 })
      await ledger.reserve('run', { tokens: 9 })
      await ledger.ask('run', 'tokens', 5, { requestId: 'more', reason: 'one file left' })
      await ledger.answer('more', 'approved', { by: 'ann' })
      const told = (await entriesOf(ledger, { scopeId: 'run', since: 1 })).map(({ event }) => event)
      expect(told).toMatchObject([
        { event: 'call_settled', charged: { tokens: 9 } },
        { event: 'usage_anomaly', meter: 'tokens', charged: 9 },
        { event: 'limit_nearing', used: 9 },
        { event: 'limit_exceeded', used: 9, requested: 9 },
        { event: 'increase_requested', request: 'more', asked: 5, reason: 'one file left' },
        { event: 'increase_granted', request: 'more', granted: 5, by: 'ann' },
        { event: 'limit_raised', limit_before: 10, limit: 15 },
      ])
    })

    test('refuses a request that is not well formed', async (ledger) => {
      await ledger.open('run')
      for (const bad of [{ since: -1 }, { since: 1.5 }, { before: Number.NaN }, { most: 0 }, { atMs: -1.5 }]) {
        await expect(ledger.store.history({ scopeId: 'run', atMs: 0, ...bad })).rejects.toThrow(/history/)
      }
    })
  })

  describe('what changed', () => {
    test('names the roots of every tree in which something happened since', async (ledger) => {
      for (const path of ['a', 'a/child', 'b']) await ledger.open(path, [limitOn('tokens', 100)])
      let { cursor, roots } = await ledger.store.changed({ since: null })
      expect(roots).toEqual([])
      const next = async (): Promise<readonly string[]> => {
        const outcome = await ledger.store.changed({ since: cursor })
        cursor = outcome.cursor
        roots = outcome.roots
        return roots?.toSorted() ?? ['all']
      }
      expect(await next()).toEqual([])
      await ledger.reserve('a/child', { tokens: 5 }, { reservationId: 'one' })
      expect(await next()).toEqual(['a'])
      await ledger.settle('one')
      await ledger.pause('b')
      expect(await next()).toEqual(['a', 'b'])
      await ledger.reserve('a/child', { tokens: 500 })
      expect(await next()).toEqual(['a'])
      expect(await next()).toEqual([])
    })
  })

  describe('denials', () => {
    test('are counted by limit and window, if the caller gave up', async (ledger) => {
      await ledger.open('team', [limitOn('tokens', 10, { per: 'hour' }), limitOn('toolCalls', 5)])
      await ledger.open('team/run', [limitOn('spawns', 1)])
      await ledger.spend('team/run', { tokens: 8, toolCalls: 1 })
      await ledger.reserve('team/run', { tokens: 5 })
      await ledger.reserve('team/run', { tokens: 5 })
      await ledger.reserve('team/run', { tokens: 5 }, { tentative: true })
      await ledger.reserve('team/run', { toolCalls: 5 })
      await ledger.open('team/run/one')
      await ledger.open('team/run/two')
      ledger.atMs += 3_600_000
      await ledger.reserve('team/run', { tokens: 50 })
      const hourMs = Math.ceil(ledger.atMs / 3_600_000) * 3_600_000
      const end = ledger.atMs % 3_600_000 === 0 ? hourMs + 3_600_000 : hourMs
      const { atMs } = ledger
      expect(await ledger.store.denials({ scopeId: 'team' })).toEqual([
        { meter: 'toolCalls', per: null, resetsAt: null, count: 1, lastAtMs: atMs - 3_600_000 },
        { meter: 'tokens', per: 'hour', resetsAt: end - 3_600_000, count: 2, lastAtMs: atMs - 3_600_000 },
        { meter: 'tokens', per: 'hour', resetsAt: end, count: 1, lastAtMs: atMs },
      ])
      expect(await ledger.store.denials({ scopeId: 'team/run' })).toMatchObject([{ meter: 'spawns', count: 1 }])
      expect(await ledger.store.denials({ scopeId: 'team/run/one' })).toEqual([])
    })
  })

  describe('the list of ended scopes', () => {
    test('has those that ended since, the last one first', async (ledger) => {
      for (const path of ['a', 'b', 'c', 'd']) await ledger.open(path)
      const start = ledger.atMs
      for (const path of ['b', 'a', 'c']) {
        ledger.atMs += 1_000
        await ledger.close(path)
      }
      const ids = async (endedSinceMs: number, more = {}) =>
        (await ledger.store.list({ standing: 'ended', endedSinceMs, atMs: ledger.atMs, ...more })).map(({ id }) => id)
      expect(await ids(0)).toEqual(['c', 'a', 'b'])
      expect(await ids(start + 2_000)).toEqual(['c', 'a'])
      expect(await ids(0, { most: 1 })).toEqual(['c'])
      expect(await ids(0, { kind: 'group' })).toEqual([])
    })
  })
}

async function entriesOf(
  ledger: ContractLedger,
  request: Omit<HistoryRequest, 'atMs'>,
): Promise<readonly HistoryEntry[]> {
  return pageIn(await ledger.store.history({ atMs: ledger.atMs, ...request })).entries
}

function pageIn(outcome: HistoryOutcome): Extract<HistoryOutcome, { readonly kind: 'page' }> {
  if (outcome.kind !== 'page') throw new Error(`expected a page, got ${outcome.kind}`)
  return outcome
}

/** What an untyped program may pass. */
function untyped(value: unknown) {
  return JSON.parse(JSON.stringify(value))
}
