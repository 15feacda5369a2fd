import type { CallFacts, CallResult } from '../../../core/index.ts'
import type { Contract } from '../contract.ts'
import type { ContractLedger } from '../contract-ledger.ts'

const HOUR_MS = 3_600_000

/** What calls came to, by hour. */
export function describeSums({ describe, test, expect }: Contract): void {
  describe('sums', () => {
    test('have every charged call by hour, payer, agent type, and model or tool', async (ledger) => {
      const startMs = ledger.atMs - (ledger.atMs % HOUR_MS)
      await ledger.open('team', [], { kind: 'lasting' })
      await ledger.open('team/ann', [], { kind: 'lasting' })
      await ledger.open('team/ann/run', [], { labels: { agentType: 'developer' } })
      await ledger.open('team/ann/run/child', [], { labels: { agentType: 'developer' } })
      await ledger.open('team/run')
      await ledger.open('bare')
      for (const path of ['team/ann/run', 'team/ann/run/child']) {
        await charge(ledger, path, { tokens: 10, cost: 7 }, { call: 'model', name: 'opus' })
      }
      await charge(ledger, 'team/run', { toolCalls: 1 }, { call: 'tool', name: 'bash' })
      await charge(ledger, 'bare', { tokens: 3 })
      await ledger.reserve('bare', { tokens: 5 }, { reservationId: 'unsent' })
      await ledger.store.release({ reservationId: 'unsent', atMs: ledger.atMs })
      await ledger.reserve('bare', { tokens: 5 }, { reservationId: 'open' })
      const ofAnn = { hourMs: startMs, rootId: 'team', payerId: 'team/ann', agentType: 'developer' }
      const bare = { hourMs: startMs, rootId: 'bare', payerId: 'bare', agentType: null, call: 'other', name: null }
      const ofTeam = { hourMs: startMs, rootId: 'team', payerId: 'team', agentType: null, call: 'tool', name: 'bash' }
      expect(await allSums(ledger)).toEqual([
        { ...bare, calls: 1, amounts: { tokens: 3 }, costs: {} },
        { ...ofTeam, calls: 1, amounts: { toolCalls: 1 }, costs: {} },
        { ...ofAnn, call: 'model', name: 'opus', calls: 2, amounts: { tokens: 20, cost: 14 }, costs: { other: 14 } },
      ])
    })

    test('say what a cost was for; the parts are the cost, exactly', async (ledger) => {
      await ledger.open('run')
      const opus: CallFacts = { call: 'model', name: 'opus' }
      const costs = { input: 1, cacheRead: 20, cacheWrite: 300, output: 4_000, thinking: 50_000, fees: 600_000 }
      await charge(ledger, 'run', { cost: 654_321 }, opus, { ending: 'answered', costs })
      await charge(ledger, 'run', { cost: 5 }, opus, { ending: 'answered', costs: { input: 2, output: 3 } })
      // One that doesn't add up says nothing.
      await charge(ledger, 'run', { cost: 9 }, opus, { ending: 'answered', costs: { input: 2, output: 3 } })
      await ledger.reserve('run', { cost: 40 }, { reservationId: 'closing', about: opus, closing: true })
      await ledger.settle('closing', { actual: { cost: 33 }, result: { ending: 'answered', costs: { input: 33 } } })
      await ledger.reserve('run', { cost: 500 }, { reservationId: 'lost', about: opus })
      await ledger.settle('lost', { assumed: true, result: { ending: 'cut', costs: { input: 500 } } })
      const parts = { ...costs, input: 3, output: 4_003, closing: 33, assumed: 500, other: 9 }
      const sum = 654_321 + 5 + 9 + 33 + 500
      expect(await allSums(ledger)).toMatchObject([{ calls: 5, amounts: { cost: sum }, costs: parts }])
      // Corrected by a person, who knows the sum only.
      await ledger.settle('lost', { actual: { cost: 100 } })
      const { assumed: _, ...known } = parts
      expect((await allSums(ledger))[0]?.costs).toEqual({ ...known, other: 109 })
    })

    test('are of the hours asked for, from the start of the first', async (ledger) => {
      ledger.atMs -= ledger.atMs % HOUR_MS
      const startMs = ledger.atMs
      await ledger.open('run')
      for (let half = 0; half < 6; half++) {
        await charge(ledger, 'run', { tokens: 10 ** half })
        ledger.atMs += HOUR_MS / 2
      }
      const tokens = async (sinceMs: number, untilMs: number) => {
        const sums = await ledger.store.sums({ sinceMs, untilMs })
        return sums.map(({ hourMs, amounts }) => [hourMs - startMs, amounts.tokens])
      }
      expect(await tokens(startMs + 1.75 * HOUR_MS, startMs + 2.5 * HOUR_MS)).toEqual([
        [HOUR_MS, 1_100],
        [2 * HOUR_MS, 10_000],
      ])
      expect(await tokens(startMs + 9 * HOUR_MS, startMs + 10 * HOUR_MS)).toEqual([])
      expect(await tokens(startMs, startMs)).toEqual([])
    })

    test('grow no further than an exact integer', async (ledger) => {
      await ledger.open('run')
      const result: CallResult = { ending: 'answered', costs: { output: Number.MAX_SAFE_INTEGER - 1 } }
      for (let call = 0; call < 2; call++) {
        await charge(ledger, 'run', { cost: Number.MAX_SAFE_INTEGER - 1 }, { call: 'model', name: 'opus' }, result)
      }
      const [sum] = await allSums(ledger)
      expect([sum?.calls, sum?.amounts.cost, sum?.costs]).toEqual([
        2,
        Number.MAX_SAFE_INTEGER,
        { output: Number.MAX_SAFE_INTEGER },
      ])
    })

    test('refuse a time that is none', async (ledger) => {
      await expect(ledger.store.sums({ sinceMs: Number.NaN, untilMs: 1 })).rejects.toThrow(/sums/)
      await expect(ledger.store.sums({ sinceMs: 0, untilMs: -1 })).rejects.toThrow(/sums/)
    })
  })
}

let calls = 0

async function charge(
  ledger: ContractLedger,
  path: string,
  amounts: Record<string, number>,
  about?: CallFacts,
  result?: CallResult,
): Promise<void> {
  const reservationId = `charge ${++calls}`
  await ledger.reserve(path, amounts, { reservationId, ...(about === undefined ? {} : { about }) })
  await ledger.settle(reservationId, { actual: amounts, ...(result === undefined ? {} : { result }) })
}

async function allSums(ledger: ContractLedger) {
  return ledger.store.sums({ sinceMs: 0, untilMs: ledger.atMs + 1 })
}
