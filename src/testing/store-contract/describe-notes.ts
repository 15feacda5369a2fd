import type { Contract } from './contract.ts'

/** What is stored of the loop that runs a scope. */
export function describeNotes({ describe, test, expect }: Contract): void {
  describe('what is noted of a scope', () => {
    test('is its latest document, letter by letter', async (ledger) => {
      await ledger.open('run')
      const document = () => ledger.store.document({ scopeId: 'run' })
      expect(await document()).toBe(null)
      const texts = [
        '',
        'plain',
        '{"a":"it’s \\"quoted\\"; DROP TABLE"}',
        'a\u0001b\ufeff\uffff',
        '😀\r\n\u2028'.repeat(20_000),
      ]
      for (const text of texts) {
        await ledger.store.note({ scopeId: 'run', document: text, atMs: ledger.atMs })
        expect((await document()) === text).toBe(true)
      }
      await ledger.store.note({ scopeId: 'run', activeMs: 5, atMs: ledger.atMs })
      expect((await document()) === texts.at(-1)).toBe(true)
      expect(await ledger.store.document({ scopeId: 'nowhere' })).toBe(null)
    })

    test('C9: is how long it has worked, which never shrinks', async (ledger) => {
      await ledger.open('run')
      const active = async () => (await ledger.read('run')).activeMs
      expect(await active()).toBe(0)
      await ledger.store.note({ scopeId: 'run', activeMs: 100, atMs: ledger.atMs })
      expect(await active()).toBe(100)
      await ledger.reserve('run', { tokens: 5 }, { reservationId: 'one', activeMs: 200 })
      expect(await active()).toBe(200)
      await ledger.settle('one', { activeMs: 150 })
      expect(await active()).toBe(200)
      await ledger.reserve('run', { tokens: 5 }, { reservationId: 'two' })
      await ledger.settle('two', { activeMs: 300 })
      expect(await active()).toBe(300)
      await ledger.pause('run', { activeMs: 400 })
      expect(await active()).toBe(400)
      await ledger.resume('run')
      await ledger.store.close({ scopeId: 'run', status: 'completed', activeMs: 500, atMs: ledger.atMs })
      expect(await active()).toBe(500)
    })

    test('ignores an invalid time, and the settlement is still charged', async (ledger) => {
      await ledger.open('run')
      await ledger.store.note({ scopeId: 'run', activeMs: 100, atMs: ledger.atMs })
      for (const [place, activeMs] of [Number.NaN, Number.POSITIVE_INFINITY, -5, 100.5].entries()) {
        await ledger.reserve('run', { tokens: 1 }, { reservationId: `call of ${place}` })
        expect((await ledger.settle(`call of ${place}`, { activeMs })).kind).toBe('settled')
        expect((await ledger.read('run')).activeMs).toBe(100)
      }
    })

    test('is dropped when the scope ends, except for its time: nothing continues', async (ledger) => {
      await ledger.open('run')
      await ledger.store.note({ scopeId: 'run', activeMs: 100, document: 'last', atMs: ledger.atMs })
      await ledger.open('run/agent')
      await ledger.store.note({ scopeId: 'run/agent', document: 'of another', atMs: ledger.atMs })
      await ledger.close('run')
      expect(await ledger.store.document({ scopeId: 'run' })).toBe(null)
      expect(await ledger.store.document({ scopeId: 'run/agent' })).toBe('of another')
      await ledger.store.note({ scopeId: 'run', activeMs: 900, document: 'later', atMs: ledger.atMs })
      expect((await ledger.read('run')).activeMs).toBe(100)
      expect(await ledger.store.document({ scopeId: 'run' })).toBe(null)
    })
  })

  describe('labels', () => {
    test('are kept as they were written, whatever the caller does with its object', async (ledger) => {
      const labels = { task: 'it’s "this"', role: 'developer' }
      await ledger.open('run', [], { labels })
      labels.task = 'another'
      expect((await ledger.read('run')).labels).toEqual({ task: 'it’s "this"', role: 'developer' })
      await ledger.open('bare')
      expect((await ledger.read('bare')).labels).toEqual({})
    })
  })
}
