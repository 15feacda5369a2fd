import type { Contract } from './contract.ts'
import { limitOn } from './limit-on.ts'

/** Invalid input is refused before anything changes. */
export function describeBadInput({ describe, test, expect }: Contract): void {
  describe('bad input', () => {
    test('is refused with the id or the value, and changes nothing', async (ledger) => {
      await ledger.open('run')
      await expect(ledger.reserve('nowhere', { tokens: 1 })).rejects.toThrow(/No scope has the id "nowhere"/)
      await expect(ledger.reserve('run', { tokens: -1 })).rejects.toThrow(/tokens is -1/)
      await expect(ledger.open('run/child', [], { name: '../etc' })).rejects.toThrow(/contains a slash/)
      expect((await ledger.read('run')).totals.tokens).toEqual({ settled: 0, reserved: 0 })
      expect(await ledger.store.read({ scopeId: 'nowhere', atMs: 0 })).toBe(null)
    })

    test('is refused where an amount is null: a NaN that went through JSON is not nothing', async (ledger) => {
      await ledger.open('run', [limitOn('cost', 100)])
      const amounts = JSON.parse(JSON.stringify({ cost: Number.NaN }))
      await expect(ledger.reserve('run', amounts)).rejects.toThrow(/cost is null/)
    })

    test('is refused if a time is invalid, or outside of all windows', async (ledger) => {
      await ledger.open('run', [limitOn('cost', 10, { per: 'day' })])
      for (const atMs of [Number.NaN, undefined as never, 8.64e15, -1]) {
        await expect(ledger.reserve('run', { cost: 10 }, { atMs: Number(atMs) })).rejects.toThrow(/atMs is/)
      }
    })

    test('is refused if a conversation has no length, or a reservation or scope has no id', async (ledger) => {
      await ledger.open('run', [limitOn('messages', 10)])
      for (const messages of [Number.NaN, -3, 'abc' as never]) {
        await expect(ledger.reserve('run', { modelCalls: 1 }, { messages })).rejects.toThrow(/messages is/)
      }
      for (const reservationId of ['', undefined as never]) {
        await expect(ledger.reserve('run', { toolCalls: 1 }, { reservationId })).rejects.toThrow(/reservationId/)
      }
      await expect(ledger.open('other', [], { id: '' })).rejects.toThrow(/id/)
    })

    test('announces once that a conversation is full', async (ledger) => {
      await ledger.open('run', [limitOn('messages', 10)])
      const told = async (): Promise<number> => {
        const outcome = await ledger.reserve('run', { modelCalls: 1 }, { messages: 10 })
        return outcome.kind === 'breached' ? outcome.newlyExceeded.length : -1
      }
      expect([await told(), await told()]).toEqual([1, 0])
    })

    test('is refused if an id, a holder, a label or the source of a limit is unstorable text', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 1_000)])
      const source = { ...limitOn('tokens', 1).source, file: 'a\0.yaml' }
      for (const text of ['cut \ud83d', '\ude00', 'a\0b', '', 'x'.repeat(1_001), 7 as never]) {
        const invalid = /, but must be text /
        await expect(ledger.open('run/a', [], { id: text })).rejects.toThrow(invalid)
        await expect(ledger.open('run/a', [], { owner: text })).rejects.toThrow(invalid)
        await expect(ledger.reserve('run', { tokens: 1 }, { holder: text })).rejects.toThrow(invalid)
        await expect(ledger.reserve('run', { tokens: 1 }, { reservationId: text })).rejects.toThrow(invalid)
        await expect(ledger.resume('run', { owner: text })).rejects.toThrow(invalid)
        await expect(ledger.ask('run', 'tokens', 1, { requestId: text })).rejects.toThrow(invalid)
        await expect(ledger.addKey('run', 'key', { keyId: text })).rejects.toThrow(invalid)
        await expect(ledger.addKey('run', 'key', { name: text })).rejects.toThrow(invalid)
      }
      await expect(ledger.open('run/a', [], { labels: { taskId: 'cut \ud83d' } })).rejects.toThrow(/taskId/)
      await expect(ledger.open('run/a', [], { labels: { 'cut \ud83d': '' } })).rejects.toThrow(/a key of .*labels/)
      await expect(ledger.open('run/a', [limitOn('tokens', 1, { source })])).rejects.toThrow(
        /limits\[0\]\.source\.file/,
      )
      await expect(ledger.pause('run', { document: 'a\0b' })).rejects.toThrow(/document/)
      await expect(ledger.store.note({ scopeId: 'run', document: '\ud83d', atMs: ledger.atMs })).rejects.toThrow(
        /document/,
      )
      expect(await ledger.read('run')).toMatchObject({ status: 'running', openChildren: 0 })
      expect((await ledger.limit('run', 'tokens')).reserved).toBe(0)
    })

    test('is refused as an id if it is unstorable text', async (ledger) => {
      await ledger.open('run')
      await ledger.open('run\ufffd', [], { id: 'run\ufffd', name: 'other' })
      for (const text of ['run\ud83d', 'run\0', 'run\0x']) {
        expect(await ledger.store.read({ scopeId: text, atMs: ledger.atMs })).toBe(null)
        expect(await ledger.store.document({ scopeId: text })).toBe(null)
        expect(await ledger.store.keys({ scopeId: text })).toEqual([])
        expect((await ledger.settle(text)).kind).toBe('unknown')
        await expect(ledger.reserve(text, { tokens: 1 })).rejects.toThrow(/No scope has the id/)
      }
    })

    test('never refuses a description: it is kept as far as possible', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 1_000)])
      const word = { by: 'ann\0', reason: 'cut \ud83d' }
      await ledger.reserve('run', { tokens: 1 }, { reservationId: 'one' })
      expect((await ledger.settle('one', word)).kind).toBe('settled')
      await ledger.pause('run', word)
      expect((await ledger.read('run')).pause).toMatchObject({ by: 'ann\ufffd', reason: 'cut \ufffd' })
      expect(await ledger.resume('run', { by: word.by })).toMatchObject({ kind: 'resumed' })
    })

    test('is refused if a kind, a status or a verdict is unknown, or a time is text', async (ledger) => {
      await ledger.open('run')
      const invalid = /, but must be one of /
      await expect(ledger.open('run/a', [], { kind: 'swarm' as 'agent' })).rejects.toThrow(invalid)
      await expect(ledger.answer('none', 'perhaps' as 'denied')).rejects.toThrow(invalid)
      const close = (status: string, atMs: unknown) =>
        ledger.store.close({ scopeId: 'run', status: status as 'failed', atMs: atMs as number })
      await expect(close('running', ledger.atMs)).rejects.toThrow(invalid)
      await expect(close('failed', '5')).rejects.toThrow(/atMs is/)
      await expect(close('failed', 5.5)).rejects.toThrow(/atMs is/)
      expect(await ledger.read('run')).toMatchObject({ status: 'running' })
    })

    test('is refused if an elastic part or a hold is malformed, before anything changes', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 1_000)])
      const rate = { meter: 'tokens', numerator: 1, denominator: 1 } as const
      const part = { least: 1, enough: 1, most: 10, rates: [rate] }
      for (const elastic of [
        { ...part, most: Number.NaN },
        { ...part, least: 20 },
        { ...part, rates: [{ ...rate, numerator: -1 }] },
        { ...part, rates: [{ ...rate, denominator: 0 }] },
        { ...part, rates: [rate, rate] },
        { ...part, rates: [{ ...rate, meter: 'token' as 'tokens' }] },
      ]) {
        await expect(ledger.reserve('run', {}, { elastic, closing: true })).rejects.toThrow(/^reserve: /)
      }
      const ask = { wanted: { tokens: Number.NaN }, smallest: {} }
      await expect(ledger.store.hold({ scopeId: 'run', ask, atMs: ledger.atMs })).rejects.toThrow(/tokens is NaN/)
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ reserved: 0, held: 0 })
    })

    test('is refused if a limit is not in canonical form', async (ledger) => {
      const bad = [
        limitOn('tokens', Number.NaN),
        limitOn('tokens', 1.5),
        limitOn('token' as 'tokens', 5),
        limitOn('tokens', 5, { per: 'fortnight' as 'day' }),
        limitOn('tokens', 5, { per: 'day', timeZone: 'Mars/Phobos' }),
        limitOn('tokens', 5, { action: 'shout' as 'warn' }),
        limitOn('tokens', 5, { nearing: [0.9, 0.8] }),
        limitOn('tokens', 5, { nearing: [1] }),
      ]
      const twice = [limitOn('tokens', 5), limitOn('tokens', 6)]
      await expect(ledger.open('run', twice)).rejects.toThrow(/unique per period/)
      for (const limit of bad) await expect(ledger.open('run', [limit])).rejects.toThrow(/limits\[0\]\.\w+ is/)
      expect(await ledger.store.read({ scopeId: 'run', atMs: 0 })).toBe(null)
    })

    test('is refused if a group names an id twice or is too large, or a path is too deep', async (ledger) => {
      await ledger.open('run')
      const scope = { id: 'same', name: 'same', kind: 'agent', owner: null, limits: [] } as const
      const group = (scopes: (typeof scope)[]) => ledger.store.open({ parentId: 'run', scopes, atMs: ledger.atMs })
      await expect(group([scope, scope])).rejects.toThrow(/already exists/)
      await expect(group(Array(10_001).fill(scope))).rejects.toThrow(/at most 10000 scopes/)
      let path = 'run'
      const descend = async (): Promise<never> => {
        for (let level = 0; level < 300; level++) {
          path += '/x'
          await ledger.open(path)
        }
        throw new Error('no bound')
      }
      await expect(descend()).rejects.toThrow(/at most 256 ancestors/)
    })

    test('never refuses a settlement: an invalid report is charged at the worst case', async (ledger) => {
      await ledger.open('run')
      await ledger.reserve('run', { tokens: 60 }, { reservationId: 'one' })
      const settled = await ledger.store.settle({ reservationId: 'one', atMs: ledger.atMs })
      expect(settled).toMatchObject({ kind: 'settled', charged: { tokens: 60 }, anomalies: [] })
      const unsure = ledger.settle('one', { assumed: 'yes' as never })
      await expect(unsure).rejects.toThrow(/^settle\(\{ assumed \}\) is "yes", but must be true or false/)
      await ledger.reserve('run', { tokens: 60 }, { reservationId: 'two' })
      const actual = 'lots' as never
      const odd = await ledger.store.settle({ reservationId: 'two', actual, atMs: ledger.atMs })
      expect(odd).toMatchObject({ charged: { tokens: 60 }, anomalies: [{ meter: 'all', value: 'lots' }] })
      await ledger.reserve('run', { tokens: 60 }, { reservationId: 'three' })
      const list = await ledger.store.settle({
        reservationId: 'three',
        actual: [1] as never,
        atMs: ledger.atMs,
      })
      expect(list).toMatchObject({ charged: { tokens: 60 }, anomalies: [{ meter: 'all' }] })
    })

    test('reads at any time without changing what was counted', async (ledger) => {
      await ledger.open('run', [limitOn('cost', 10, { per: 'hour' })])
      await ledger.spend('run', { cost: 10 })
      for (let hour = 0; hour < 500; hour++) {
        await ledger.store.read({ scopeId: 'run', atMs: ledger.atMs + hour * 3_600_000 })
      }
      expect((await ledger.reserve('run', { cost: 1 })).kind).toBe('breached')
    })
  })
}
