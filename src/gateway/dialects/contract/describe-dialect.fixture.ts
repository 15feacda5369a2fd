import { describe } from 'vitest'
import { describeMutations } from './describe-mutations.fixture.ts'
import { describeRelay } from './describe-relay.fixture.ts'
import { describeRequests } from './describe-requests.fixture.ts'
import { describeWritten } from './describe-written.fixture.ts'
import type { DialectFixture } from './dialect-fixture.fixture.ts'

/** The tests that apply to every dialect. Each dialect's own test calls this with its fixture. */
export function describeDialect(fixture: DialectFixture): void {
  describe(`the dialect ${fixture.dialect.name}`, () => {
    describeRequests(fixture)
    describeRelay(fixture)
    describeMutations(fixture)
    describeWritten(fixture)
  })
}
