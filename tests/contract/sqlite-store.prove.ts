import { afterAll, describe, expect, it } from 'vitest'
import { answersAlike } from '../../src/testing/store-contract/histories/answers-alike.ts'
import { TEST_SEED } from '../setup/test-seed.ts'
import { describeLaws } from './describe-laws.ts'
import { createSqliteUnderTest } from './sqlite-under-test.ts'

const { createStore, reopen, second, remove } = createSqliteUnderTest()
afterAll(remove)

describeLaws('the SQLite store', createStore, 60)

describe('the SQLite store, on many random histories', () => {
  it('answers exactly as the memory store, also when it is reopened', async () => {
    const { steps } = await answersAlike({ createStore, reopen }, { histories: 200, firstSeed: TEST_SEED })
    expect(steps).toBeGreaterThan(5_000)
  }, 1_200_000)

  it('answers exactly as the memory store through two handles', async () => {
    const { steps } = await answersAlike(
      { createStore, reopen, second },
      { histories: 25, firstSeed: TEST_SEED + 1_000 },
    )
    expect(steps).toBeGreaterThan(600)
  }, 600_000)
})
