import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { LedgerStore } from '../../src/core/index.ts'
import { createSqliteStore } from '../../src/stores/sqlite/index.ts'
import { describeStoreContract } from '../../src/testing/store-contract/describe-store-contract.ts'
import { answersAlike } from '../../src/testing/store-contract/histories/answers-alike.ts'
import { TEST_SEED } from '../setup/test-seed.ts'
import { describeLaws } from './describe-laws.ts'

const folder = mkdtempSync(join(tmpdir(), 'stint-contract-'))
const fileOf = new WeakMap<LedgerStore, string>()
let ledgers = 0

function openLedger(file: string): LedgerStore {
  const store = createSqliteStore({ file })
  fileOf.set(store, file)
  return store
}

const subject = {
  createStore: () => openLedger(join(folder, `${++ledgers}.db`)),
  async reopen(store: LedgerStore) {
    await store.dispose()
    return openLedger(fileOf.get(store)!)
  },
  second: (store: LedgerStore) => openLedger(fileOf.get(store)!),
}

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describeStoreContract('the SQLite store', subject, { describe, it, expect })
describeLaws('the SQLite store', subject.createStore, 60)

describe('the SQLite store, on random histories', () => {
  it('answers exactly as the memory store, also when it is opened again', async () => {
    const { createStore, reopen } = subject
    const { steps } = await answersAlike({ createStore, reopen }, { histories: 200, firstSeed: TEST_SEED })
    expect(steps).toBeGreaterThan(5_000)
  }, 180_000)

  it('answers exactly as the memory store through two handles', async () => {
    const { steps } = await answersAlike(subject, { histories: 25, firstSeed: TEST_SEED + 1_000 })
    expect(steps).toBeGreaterThan(600)
  }, 180_000)
})
