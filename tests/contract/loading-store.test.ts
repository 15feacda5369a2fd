import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { verifyLedger } from '../../src/stores/sqlite/index.ts'
import { describeStoreContract } from '../../src/testing/store-contract/describe-store-contract.ts'
import { answersAlike } from '../../src/testing/store-contract/histories/answers-alike.ts'
import { TEST_SEED } from '../setup/test-seed.ts'
import { createLoadingStore, type LoadingStore } from './loading-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'stint-loading-'))
const stores: LoadingStore[] = []

function createStore(): LoadingStore {
  const store = createLoadingStore(join(folder, `${stores.length}.db`))
  stores.push(store)
  return store
}

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describeStoreContract('a store that loads rows first', { createStore }, { describe, it, expect })

describe('a store that loads what an operation declares in advance', () => {
  it('answers exactly as the memory store on random histories, with a valid journal', async () => {
    const { steps } = await answersAlike({ createStore }, { histories: 30, firstSeed: TEST_SEED })
    expect(steps).toBeGreaterThan(600)
    for (const place of stores.keys()) {
      const problems = verifyLedger(join(folder, `${place}.db`)).problems
      expect(problems.filter(({ place: where }) => where !== 'high-water file')).toEqual([])
    }
  }, 180_000)

  it('never reads anything else, except if a cursor is older than the history', () => {
    const missed = stores.flatMap((store) => store.missed)
    expect(missed.filter((needs) => needs.openBelow === undefined)).toEqual([])
  })
})
