import { describeDialect } from '../contract/describe-dialect.fixture.ts'
import { anthropicFixture } from './anthropic-messages.fixture.ts'

describeDialect(anthropicFixture)
