import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeStoreContract } from '../../src/testing/store-contract/describe-store-contract.ts'
import { answersAlike } from '../../src/testing/store-contract/histories/answers-alike.ts'
import { TEST_SEED } from '../setup/test-seed.ts'
import { describeLaws } from './describe-laws.ts'
import { createPostgresUnderTest } from './postgres-under-test.ts'

const subject = createPostgresUnderTest()
beforeAll(subject.start)
afterAll(subject.remove)

// Through two handles and opened again before every step: `npm run prove`.
describeStoreContract('the Postgres store', { createStore: subject.createStore }, { describe, it, expect })
describeLaws('the Postgres store', subject.createStore, 10)

describe('the Postgres store, on random histories', () => {
  it('answers exactly as the memory store, also when it is reopened', async () => {
    const { createStore, reopen } = subject
    const { steps } = await answersAlike({ createStore, reopen }, { histories: 10, firstSeed: TEST_SEED })
    expect(steps).toBeGreaterThan(200)
  })
})
