import { describe, expect, it } from 'vitest'
import type { HourSum, SumsRequest } from '../../core/index.ts'
import { createContractLedger } from '../../testing/store-contract/contract-ledger.ts'
import { editLedger, ledgerFile, NOON, openLedger, valueIn } from './ledger-file.fixture.ts'
import { pruneLedger } from './prune-ledger.ts'
import { verifyLedger } from './verify/verify-ledger.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const ALWAYS = { sinceMs: 0, untilMs: NOON + 365 * DAY_MS }
const result = { ending: 'answered', costs: { input: 2, output: 5 } } as const
const model = (name: string) => ({ call: 'model', name }) as const

/** Three runs below a budget on three days, with calls of a model and a tool each. */
async function threeDays() {
  const file = ledgerFile()
  const ledger = createContractLedger(openLedger(file))
  await ledger.open('team', [], { kind: 'lasting' })
  for (let day = 0; day < 3; day++) {
    ledger.atMs = NOON + day * DAY_MS
    const run = `team/run-${day}`
    await ledger.open(run, [], { labels: { agentType: 'developer' } })
    const spend = async (id: string, tokens: number, about: object) => {
      await ledger.reserve(run, { tokens: 100, cost: 50 }, { reservationId: `${id}-${day}`, about: about as never })
      await ledger.settle(`${id}-${day}`, { actual: { tokens, cost: 7 }, result })
    }
    await spend('a', 10, model('opus'))
    ledger.atMs += 60_000
    await spend('b', 20, model('opus'))
    ledger.atMs += HOUR_MS - 60_000
    await spend('c', 3, { call: 'tool', name: 'bash' })
    await ledger.reserve(run, { tokens: 5 }, { reservationId: `unsent-${day}` })
    await ledger.store.release({ reservationId: `unsent-${day}`, atMs: ledger.atMs })
    await ledger.close(run)
  }
  return { file, ledger }
}

/** Read by another process. */
async function readSums(file: string, range: SumsRequest): Promise<readonly HourSum[]> {
  const store = openLedger(file)
  const sums = await store.sums(range)
  await store.dispose()
  return sums
}

describe('hourly sums', () => {
  it('include every charged call, by hour, root, agent type, and model or tool', async () => {
    const { file } = await threeDays()
    const sums = await readSums(file, { sinceMs: NOON + DAY_MS, untilMs: NOON + 2 * DAY_MS })
    const of = { rootId: 'team', payerId: 'team', agentType: 'developer' }
    expect(sums).toEqual([
      {
        ...of,
        hourMs: NOON + DAY_MS,
        call: 'model',
        name: 'opus',
        calls: 2,
        amounts: { tokens: 30, cost: 14 },
        costs: { input: 4, output: 10 },
      },
      {
        ...of,
        hourMs: NOON + DAY_MS + HOUR_MS,
        call: 'tool',
        name: 'bash',
        calls: 1,
        amounts: { tokens: 3, cost: 7 },
        costs: { input: 2, output: 5 },
      },
    ])
  })

  it('outlive the calls, however often and in whatever parts those are pruned', async () => {
    const { file } = await threeDays()
    const before = await readSums(file, ALWAYS)
    expect(before.reduce((total, { amounts }) => total + (amounts.tokens ?? 0), 0)).toBe(99)
    for (const beforeMs of [NOON, NOON + 30_000, NOON + DAY_MS + HOUR_MS, NOON + 9 * DAY_MS]) {
      pruneLedger(file, { beforeMs, atMs: NOON + 9 * DAY_MS })
      expect(await readSums(file, ALWAYS)).toEqual(before)
      expect(verifyLedger(file).problems).toEqual([])
    }
    expect([valueIn(file, 'SELECT count(*) FROM calls'), valueIn(file, 'SELECT count(*) FROM sums')]).toEqual([0, 6])
  })

  it('include calls that are younger than their scope’s end because the clock went back', async () => {
    const { file, ledger } = await threeDays()
    ledger.atMs = NOON + 2 * HOUR_MS
    await ledger.open('team/late')
    await ledger.spend('team/late', { tokens: 1_000 })
    ledger.atMs = NOON + HOUR_MS
    await ledger.close('team/late')
    const before = await readSums(file, ALWAYS)
    const { scopes } = pruneLedger(file, { beforeMs: NOON + 1.5 * HOUR_MS, atMs: NOON + 9 * DAY_MS })
    expect([scopes, await readSums(file, ALWAYS)]).toEqual([2, before])
  })

  it('stay with the budget that paid, which is never pruned', async () => {
    const { file, ledger } = await threeDays()
    await ledger.open('team/ann', [], { kind: 'lasting' })
    await ledger.open('team/ann/run')
    await ledger.spend('team/ann/run', { tokens: 5 })
    await ledger.close('team/ann/run')
    await ledger.close('team/ann')
    const before = await readSums(file, ALWAYS)
    expect(before.map(({ payerId }) => payerId)).toContain('team/ann')
    pruneLedger(file, { beforeMs: NOON + 9 * DAY_MS, atMs: NOON + 9 * DAY_MS })
    expect(valueIn(file, 'SELECT count(*) FROM calls')).toBe(0)
    expect(await readSums(file, ALWAYS)).toEqual(before)
    expect(verifyLedger(file).problems).toEqual([])
  })

  it('are unchanged by a dry run', async () => {
    const { file } = await threeDays()
    pruneLedger(file, { beforeMs: NOON + 9 * DAY_MS, atMs: NOON + 9 * DAY_MS, isDryRun: true })
    expect(valueIn(file, 'SELECT count(*) FROM sums')).toBe(0)
  })
})

describe('a ledger that is too large', () => {
  it('loses the oldest part until it is small enough, except for the last day, and the file shrinks', async () => {
    const { file, ledger } = await threeDays()
    const large = 'x'.repeat(200_000)
    for (let each = 0; each < 10; each++) {
      ledger.atMs = NOON + each * DAY_MS
      await ledger.open(`team/large-${each}`)
      await ledger.close(`team/large-${each}`)
    }
    await ledger.store.dispose()
    // As earlier versions left them.
    editLedger(file, `INSERT INTO documents SELECT id, '${large}' FROM scopes WHERE id LIKE 'team/large-%'`)
    const atMs = NOON + 10 * DAY_MS
    const before = await readSums(file, ALWAYS)
    const { beforeMs, bytesBefore, bytesAfter, scopes } = pruneLedger(file, {
      beforeMs: NOON,
      atMs,
      mostBytes: 1_200_000,
    })
    expect(beforeMs).toBe(atMs - 5 * DAY_MS)
    expect(scopes).toBe(8)
    expect(bytesAfter).toBeLessThan(bytesBefore - 900_000)
    expect(await readSums(file, ALWAYS)).toEqual(before)
    const rest = pruneLedger(file, { beforeMs: NOON, atMs, mostBytes: 1 })
    expect([rest.beforeMs, valueIn(file, 'SELECT count(*) FROM documents')]).toEqual([atMs - DAY_MS, 1])
    expect(verifyLedger(file).problems).toEqual([])
  })
})
