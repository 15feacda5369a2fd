import { afterAll, describe, expect, it } from 'vitest'
import { describeStoreContract } from '../../src/testing/store-contract/describe-store-contract.ts'
import { answersAlike } from '../../src/testing/store-contract/histories/answers-alike.ts'
import { TEST_SEED } from '../setup/test-seed.ts'
import { describeLaws } from './describe-laws.ts'
import { createSqliteUnderTest } from './sqlite-under-test.ts'

const subject = createSqliteUnderTest()
const { createStore, reopen, second } = subject
afterAll(subject.remove)

describeStoreContract('the SQLite store', { createStore, reopen, second }, { describe, it, expect })
describeLaws('the SQLite store', createStore, 20)

describe('the SQLite store, on random histories', () => {
  it('answers exactly as the memory store, also when it is reopened', async () => {
    const { steps } = await answersAlike({ createStore, reopen }, { histories: 25, firstSeed: TEST_SEED })
    expect(steps).toBeGreaterThan(600)
  })

  it('answers exactly as the memory store through two handles', async () => {
    const { steps } = await answersAlike(
      { createStore, reopen, second },
      { histories: 10, firstSeed: TEST_SEED + 1_000 },
    )
    expect(steps).toBeGreaterThan(200)
  })
})
