import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ContractOptions,
  describeAdapterContract,
} from '../../../src/testing/adapter-contract/describe-adapter-contract.ts'
import type { Wire } from './agents.ts'
import { gatewayUnderTest } from './contract/gateway-under-test.ts'

describeGateway('anthropic-messages')
describeGateway('openai-chat')
describeGateway('openai-responses')

/** Runs the contract, or a part of it, against a gateway of its own. */
function describeGateway(wire: Wire, options: ContractOptions = {}): void {
  describe(`the gateway, ${wire}`, () => {
    const adapter = gatewayUnderTest(wire)
    beforeAll(() => adapter.start())
    afterAll(() => adapter.close())
    describeAdapterContract(wire, adapter, { describe, it, expect }, options)
  })
}
