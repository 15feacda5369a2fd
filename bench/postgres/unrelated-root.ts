import { createPostgresStore } from '../../src/stores/postgres/index.ts'
import { judge } from '../judge.ts'
import { openChain } from '../open-chain.ts'
import { percentile } from '../percentiles.ts'
import { type Spent, spend } from '../spend.ts'
import { printTable } from '../table.ts'
import { ledgerIn } from './ledger-in.ts'

const DEPTH = 4
const CALLERS = 32
const ROUNDS = 5
const ROUND_MS = 1_500
const MOST_SLOWED = 1.5

/** One caller on a root of its own, beside others on one root, and beside the same number on as many roots. */
export async function unrelatedRoot(url: string): Promise<readonly boolean[]> {
  const store = createPostgresStore({ url: await ledgerIn(url, 'unrelated') })
  const other = await openChain(store, DEPTH, 'other')
  const hot = await openChain(store, DEPTH, 'hot')
  const spread: string[] = []
  for (let root = 0; root < CALLERS; root++) spread.push(await openChain(store, DEPTH, `spread-${root}`))
  const besideHot: Spent[] = []
  const besideSpread: Spent[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const [nearHot] = await Promise.all([spend(store, other, 1, ROUND_MS), spend(store, hot, CALLERS, ROUND_MS)])
    const [nearSpread] = await Promise.all([
      spend(store, other, 1, ROUND_MS),
      ...spread.map((scope) => spend(store, scope, 1, ROUND_MS)),
    ])
    if (round === 0) continue
    besideHot.push(nearHot)
    besideSpread.push(nearSpread)
  }
  await store.dispose()
  const [hotMs, spreadMs] = [besideHot, besideSpread].map(medianMs)
  printTable(
    'One caller on an unrelated root, in the same process',
    ['', 'p50 ms'],
    [
      [`beside ${CALLERS} callers on one root`, hotMs!.toFixed(2)],
      [`beside ${CALLERS} callers on ${CALLERS} roots`, spreadMs!.toFixed(2)],
    ],
  )
  return [
    judge({
      sentence: (figure) => `an unrelated root's p50 beside a hot one is ${figure} that beside a spread load`,
      value: hotMs! / spreadMs!,
      atMost: MOST_SLOWED,
    }),
  ]
}

function medianMs(rounds: readonly Spent[]): number {
  return percentile(
    rounds.map(({ milliseconds }) => percentile(milliseconds, 50)),
    50,
  )
}
