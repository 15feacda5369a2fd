import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeStoreContract } from '../../src/testing/store-contract/describe-store-contract.ts'
import { answersAlike } from '../../src/testing/store-contract/histories/answers-alike.ts'
import { TEST_SEED } from '../setup/test-seed.ts'
import { describeLaws } from './describe-laws.ts'
import { createPostgresUnderTest } from './postgres-under-test.ts'

const subject = createPostgresUnderTest()
const { createStore, reopen, second } = subject
beforeAll(subject.start)
afterAll(subject.remove)

describeStoreContract('the Postgres store', { createStore, reopen, second }, { describe, it, expect })
describeLaws('the Postgres store', createStore, 60)

describe('the Postgres store, on many random histories', () => {
  it('answers exactly as the memory store, also when it is reopened before every step', async () => {
    const { steps } = await answersAlike({ createStore, reopen }, { histories: 50, firstSeed: TEST_SEED })
    expect(steps).toBeGreaterThan(1_200)
  }, 600_000)

  it('answers exactly as the memory store through two handles', async () => {
    const { steps } = await answersAlike({ createStore, second }, { histories: 25, firstSeed: TEST_SEED + 1_000 })
    expect(steps).toBeGreaterThan(600)
  }, 600_000)
})
