import { beforeAll, describe, expect, it } from 'vitest'
import type { LedgerStore } from '../../src/core/index.ts'
import type { HistoryCommand } from '../../src/testing/store-contract/histories/history-command.ts'
import { randomHistory } from '../../src/testing/store-contract/histories/random-history.ts'
import { shortenHistory } from '../../src/testing/store-contract/histories/shorten-history.ts'
import { IS_USUAL_SEED, TEST_SEED } from '../setup/test-seed.ts'
import { COUNTING_LAWS } from './counting-laws.ts'
import { DECIDING_LAWS } from './deciding-laws.ts'
import type { Law } from './law.ts'
import { playHistory, type Step } from './play-history.ts'
import { ReferenceBook } from './reference-book.ts'
import { STEERING_LAWS } from './steering-laws.ts'

type CreateStore = () => LedgerStore | Promise<LedgerStore>

const LAWS: readonly Law[] = [...COUNTING_LAWS, ...DECIDING_LAWS, ...STEERING_LAWS]

/** Tries every law on every one of so many random histories. Each history is played once for all laws. */
export function describeLaws(name: string, createStore: CreateStore, histories: number): void {
  describe(`the laws of the ledger, on random histories of ${name}`, () => {
    let verdicts: ReadonlyMap<Law, Verdict>
    beforeAll(async () => {
      verdicts = await tryLaws(createStore, histories)
    })

    it.each(LAWS)('$title', async (law) => {
      const { broken, seen } = verdicts.get(law)!
      if (broken !== null) throw await describeBreak(law, createStore, broken)
      for (const [what, perThousand] of IS_USUAL_SEED ? Object.entries(law.seen) : []) {
        // Rounded down: what is rare is not asked of a few histories.
        const least = Math.floor((perThousand * histories) / 1_000)
        expect([what, seen.get(what) ?? 0, (seen.get(what) ?? 0) >= least]).toEqual([what, expect.any(Number), true])
      }
    })
  })
}

interface Verdict {
  /** The first history in which the law did not hold. */
  broken: { readonly seed: number; readonly error: unknown } | null
  readonly seen: Map<string, number>
}

async function tryLaws(createStore: CreateStore, histories: number): Promise<ReadonlyMap<Law, Verdict>> {
  const verdicts = new Map<Law, Verdict>(LAWS.map((law) => [law, { broken: null, seen: new Map() }]))
  for (let seed = TEST_SEED; seed < TEST_SEED + histories; seed++) {
    await onHistory(createStore, randomHistory(seed), LAWS, (law, what) => {
      const verdict = verdicts.get(law)!
      if (typeof what === 'string') verdict.seen.set(what, (verdict.seen.get(what) ?? 0) + 1)
      else verdict.broken ??= { seed, error: what.error }
    })
  }
  return verdicts
}

type Told = (law: Law, what: string | { readonly error: unknown }) => void

async function onHistory(
  createStore: CreateStore,
  history: readonly HistoryCommand[],
  laws: readonly Law[],
  told: Told,
): Promise<readonly Step[]> {
  const store = await createStore()
  try {
    const steps = await playHistory(store, history)
    const book = new ReferenceBook()
    for (const step of steps) {
      book.record(step)
      for (const law of laws) {
        try {
          law.checkStep?.(step, book, (what) => told(law, what))
        } catch (error) {
          told(law, { error })
        }
      }
    }
    for (const law of laws) {
      await law.checkHistory?.(steps, store, (what) => told(law, what)).catch((error: unknown) => told(law, { error }))
    }
    return steps
  } finally {
    await store.dispose()
  }
}

/** Shows the shortest history that breaks the law in the same way. */
async function describeBreak(law: Law, createStore: CreateStore, broken: NonNullable<Verdict['broken']>) {
  let { error } = broken
  const breaks = async (history: readonly HistoryCommand[]): Promise<readonly Step[] | null> => {
    let isBroken = false
    const steps = await onHistory(createStore, history, [law], (_, what) => {
      if (typeof what === 'string') return
      isBroken = true
      error = what.error
    })
    return isBroken ? steps : null
  }
  const history = randomHistory(broken.seed)
  const shortest = await shortenHistory(history, async (shorter) => (await breaks(shorter)) !== null)
  const steps = (await breaks(shortest)) ?? []
  const lines = steps.map(({ request, answer }) => `  ${JSON.stringify(request)}\n    → ${JSON.stringify(answer)}`)
  return new Error(`Broken in the history of seed ${broken.seed}, in short:\n${lines.join('\n')}`, { cause: error })
}
