import type { Contract } from './contract.ts'
import { limitOn } from './limit-on.ts'

/** Scopes that a person or a limit has paused. */
export function describePausing({ describe, test, expect }: Contract): void {
  const hold = { wanted: { tokens: 300 }, smallest: {} }

  describe('a pause', () => {
    test('E1: admits nothing there or below, and says where and why', async (ledger) => {
      for (const path of ['team', 'team/run', 'team/run/agent', 'team/other']) await ledger.open(path)
      const outcome = await ledger.pause('team/run', { reason: 'lunch', by: 'ann' })
      const pause = { reason: 'lunch', breaches: null, requestId: null, by: 'ann', atMs: ledger.atMs }
      expect(outcome).toEqual({ kind: 'paused', pause })
      const blocked = { kind: 'paused', scopeId: 'team/run', pause }
      expect(await ledger.reserve('team/run', { tokens: 1 })).toEqual(blocked)
      expect(await ledger.reserve('team/run/agent', { tokens: 1 })).toEqual(blocked)
      expect(await ledger.open('team/run/agent/child')).toEqual(blocked)
      expect(await ledger.store.read({ scopeId: 'team/run/agent/child', atMs: ledger.atMs })).toBe(null)
      expect(await ledger.read('team/run')).toMatchObject({ status: 'paused', pause })
      expect(await ledger.read('team/run/agent')).toMatchObject({ status: 'running', pause: null })
      expect((await ledger.reserve('team/other', { tokens: 1 })).kind).toBe('granted')
      expect((await ledger.reserve('team', { tokens: 1 })).kind).toBe('granted')
    })

    test('lets closing calls pass, there and below, and what was in flight is charged', async (ledger) => {
      for (const path of ['run', 'run/agent']) await ledger.open(path)
      await ledger.reserve('run/agent', { tokens: 5 }, { reservationId: 'late' })
      await ledger.pause('run')
      for (const path of ['run', 'run/agent']) {
        expect((await ledger.reserve(path, { tokens: 1 }, { closing: true })).kind).toBe('granted')
      }
      expect((await ledger.settle('late', { actual: { tokens: 4 } })).kind).toBe('settled')
      expect(await ledger.settled('run', 'tokens')).toBe(4)
    })

    test('E12: gives the hold back, and no settlement takes one while it lasts', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 1_000)])
      await ledger.open('run/agent', [], { hold })
      await ledger.reserve('run/agent', { tokens: 10 }, { reservationId: 'late' })
      expect((await ledger.limit('run', 'tokens')).held).toBe(300)
      await ledger.pause('run/agent')
      expect((await ledger.limit('run', 'tokens')).held).toBe(0)
      await ledger.settle('late', { hold })
      expect((await ledger.limit('run', 'tokens')).held).toBe(0)
      expect(await ledger.store.hold({ scopeId: 'run/agent', ask: hold, atMs: ledger.atMs })).toEqual({ held: {} })
    })

    test('gives its place among its parent’s children to another, and takes one again when it is resumed', async (ledger) => {
      await ledger.open('run', [limitOn('concurrency', 1)])
      await ledger.open('run/a')
      await ledger.pause('run/a')
      expect(await ledger.read('run')).toMatchObject({ openChildren: 0 })
      expect(await ledger.open('run/b')).toMatchObject({ kind: 'opened' })
      await ledger.store.resume({ scopeId: 'run/a', atMs: ledger.atMs })
      expect(await ledger.read('run')).toMatchObject({ openChildren: 2 })
      expect(await ledger.open('run/c')).toMatchObject({ kind: 'refused', mayFitLater: true })
      await ledger.close('run/a')
      await ledger.close('run/b')
      expect(await ledger.open('run/c')).toMatchObject({ kind: 'opened' })
    })

    test('keeps its place while it only waits for an answer', async (ledger) => {
      await ledger.open('run', [limitOn('concurrency', 1)])
      await ledger.open('run/a')
      await ledger.pause('run/a', { requestId: 'question' })
      expect(await ledger.read('run')).toMatchObject({ openChildren: 1 })
      expect(await ledger.open('run/b')).toMatchObject({ kind: 'refused', mayFitLater: true })
    })

    test('that only waits for an answer keeps the hold, and admits what fits', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 1_000)])
      await ledger.open('run/agent', [], { hold })
      await ledger.pause('run/agent', { requestId: 'question' })
      expect(await ledger.read('run/agent')).toMatchObject({ status: 'paused', pause: { requestId: 'question' } })
      expect((await ledger.limit('run', 'tokens')).held).toBe(300)
      expect((await ledger.reserve('run/agent', { tokens: 700 })).kind).toBe('granted')
      expect((await ledger.reserve('run/agent', { tokens: 1 })).kind).toBe('breached')
      expect((await ledger.open('run/agent/child', [], { owner: 'other' })).kind).toBe('refused')
      await ledger.open('free')
      await ledger.pause('free', { requestId: 'other question' })
      expect((await ledger.open('free/child')).kind).toBe('opened')
    })

    test('outlasts a question, and the answer to that question does not lift it', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 1_000)], { hold })
      await ledger.pause('run', { requestId: 'question' })
      const stop = await ledger.pause('run', { reason: 'stop', by: 'ann' })
      expect(stop).toMatchObject({ kind: 'paused', pause: { reason: 'stop', requestId: null } })
      expect((await ledger.limit('run', 'tokens')).held).toBe(0)
      expect((await ledger.reserve('run', { tokens: 1 })).kind).toBe('paused')
      const answered = await ledger.resume('run', { requestId: 'question' })
      expect(answered).toEqual({ kind: 'not-paused', status: 'paused', owner: 'process' })
      expect((await ledger.reserve('run', { tokens: 1 })).kind).toBe('paused')
    })

    test('that comes second is a duplicate: the first remains, and its document is kept', async (ledger) => {
      await ledger.open('run')
      await ledger.pause('run', { reason: 'first', document: 'old' })
      const first = { reason: 'first', requestId: null }
      expect(await ledger.pause('run', { reason: 'second', document: 'new' })).toMatchObject({
        kind: 'duplicate',
        pause: first,
      })
      expect(await ledger.pause('run', { requestId: 'question' })).toMatchObject({ kind: 'duplicate', pause: first })
      expect(await ledger.store.document({ scopeId: 'run' })).toBe('new')
      expect((await ledger.reserve('run', { tokens: 1 })).kind).toBe('paused')
    })

    test('remembers the limits that it is for, just as they were', async (ledger) => {
      await ledger.open('run', [limitOn('toolCalls', 1, { action: 'pause' })])
      await ledger.spend('run', { toolCalls: 1 })
      const refused = await ledger.reserve('run', { toolCalls: 1 })
      const breaches = refused.kind === 'breached' ? refused.breaches : null
      expect(breaches).toHaveLength(1)
      await ledger.pause('run', { breaches, activeMs: 1_234 })
      expect(await ledger.read('run')).toMatchObject({ pause: { breaches }, activeMs: 1_234 })
    })

    test('names the outermost paused scope', async (ledger) => {
      for (const path of ['a', 'a/b', 'a/b/c']) await ledger.open(path)
      await ledger.pause('a/b/c')
      await ledger.pause('a/b')
      expect(await ledger.reserve('a/b/c', { tokens: 1 })).toMatchObject({ kind: 'paused', scopeId: 'a/b' })
      await ledger.close('a')
      expect(await ledger.reserve('a/b/c', { tokens: 1 })).toEqual({ kind: 'closed', scopeId: 'a' })
    })

    test('is too late for an ended scope, and ends with its scope', async (ledger) => {
      await ledger.open('run')
      await ledger.pause('run')
      await ledger.close('run')
      expect(await ledger.read('run')).toMatchObject({ status: 'completed', pause: null })
      expect(await ledger.pause('run')).toEqual({ kind: 'closed', scopeId: 'run' })
      expect(await ledger.resume('run')).toMatchObject({ kind: 'not-paused', status: 'completed' })
    })
  })
}
