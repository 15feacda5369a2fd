import { createPostgresStore } from '../../src/stores/postgres/index.ts'
import { judge } from '../judge.ts'
import { openChain } from '../open-chain.ts'
import { percentile } from '../percentiles.ts'
import { CHARGED, type Spent } from '../spend.ts'
import { printTable } from '../table.ts'
import { ledgerIn } from './ledger-in.ts'
import { createNaiveTables } from './naive-client.ts'
import { type Spending, startSpending } from './start-spending.ts'

const DEPTH = 4
const ROUNDS = 3
const ROUND_MS = 2_000
const LEAST_GAIN_OF_ONE = 20
const LEAST_GAIN_OF_MANY = 10
const HEADER = ['reserve + settle on 4 scopes of one root', 'pairs/s', 'p50 ms', 'p99 ms']

/** All callers at once on one root: in one process, and in four. */
export async function compareWithNaive(url: string): Promise<readonly boolean[]> {
  await createNaiveTables(url, DEPTH)
  const ledger = await ledgerIn(url, 'hot')
  const store = createPostgresStore({ url: ledger })
  const scopeId = await openChain(store, DEPTH)
  const one = await playRounds(url, ledger, scopeId, { processes: 1, callers: 32 })
  const four = await playRounds(url, ledger, scopeId, { processes: 4, callers: 8 })
  printTable('All callers on one hot root', HEADER, [...one.rows, ...four.rows])
  const [root] = (await store.read({ scopeId, atMs: Date.now() }))!
  await store.dispose()
  const pairs = one.pairs + four.pairs
  const { settled, reserved } = root!.totals.tokens
  return [
    judge({
      sentence: (figure) => `32 callers in one process get ${figure} the pairs of the naive client`,
      value: one.gain,
      atLeast: LEAST_GAIN_OF_ONE,
    }),
    judge({
      sentence: (figure) => `4 processes with 8 callers each get ${figure} the pairs of the naive client`,
      value: four.gain,
      atLeast: LEAST_GAIN_OF_MANY,
    }),
    judge({
      sentence: (figure) => `of ${pairs} calls, ${figure} are missing in the root's total, or too many`,
      value: Math.abs(settled / CHARGED.tokens - pairs) + reserved,
      unit: '',
      atMost: 0,
    }),
  ]
}

interface Crowd {
  readonly processes: number
  readonly callers: number
}

interface Outcome {
  readonly rows: readonly (readonly string[])[]
  readonly gain: number
  /** What was done through Stint in all rounds. */
  readonly pairs: number
}

/** Rounds in turns, since whatever else the machine does can only make one slower: the best of each counts. */
async function playRounds(url: string, ledger: string, scopeId: string, crowd: Crowd): Promise<Outcome> {
  const { processes, callers } = crowd
  const start = (kind: 'naive' | 'stint', address: string): Promise<readonly Spending[]> =>
    Promise.all(Array.from({ length: processes }, () => startSpending(kind, address, scopeId, callers)))
  const naive = await start('naive', url)
  const stint = await start('stint', ledger)
  let pairs = 0
  let [bestNaive, bestStint]: [Spent | null, Spent | null] = [null, null]
  // The first round is for code and plans that are still new.
  for (let round = 0; round <= ROUNDS; round++) {
    const [slow, fast] = [await together(naive), await together(stint)]
    pairs += fast.milliseconds.length / 2
    if (round === 0) continue
    bestNaive = better(bestNaive, slow)
    bestStint = better(bestStint, fast)
  }
  for (const each of [...naive, ...stint]) await each.end()
  const crowdText = `${processes} × ${callers} callers`
  const rows = [rowOf(`naive client, ${crowdText}`, bestNaive!), rowOf(`Stint, ${crowdText}`, bestStint!)]
  return { rows, gain: bestStint!.pairsPerSecond / bestNaive!.pairsPerSecond, pairs }
}

async function together(processes: readonly Spending[]): Promise<Spent> {
  const each = await Promise.all(processes.map(({ spend }) => spend(ROUND_MS)))
  return {
    pairsPerSecond: each.reduce((sum, { pairsPerSecond }) => sum + pairsPerSecond, 0),
    milliseconds: each.flatMap(({ milliseconds }) => milliseconds),
  }
}

function better(best: Spent | null, round: Spent): Spent {
  return best === null || round.pairsPerSecond > best.pairsPerSecond ? round : best
}

function rowOf(name: string, { pairsPerSecond, milliseconds }: Spent): readonly string[] {
  const [p50, p99] = [50, 99].map((percent) => percentile(milliseconds, percent).toFixed(2))
  return [name, pairsPerSecond.toFixed(0), p50!, p99!]
}
