import type { TestTools } from '../store-contract/test-tools.ts'
import type { AdapterUnderTest } from './adapter-under-test.ts'
import { contractFor } from './contract.ts'
import { describeClosing } from './describe-closing.ts'
import { describeCounting } from './describe-counting.ts'
import { describeMoney } from './describe-money.ts'
import { describePausing } from './describe-pausing.ts'
import { describeTelling } from './describe-telling.ts'

const SECTIONS = [describeCounting, describeClosing, describePausing, describeMoney, describeTelling]

/**
 * The contract of an adapter, as tests that every adapter runs unchanged: the same scripted run gives the same counts,
 * refusals, hints and events, whichever framework runs it, streaming or not. Everything is looked up at the provider,
 * in the tools and in the ledger, not at what an adapter says of itself.
 */
export function describeAdapterContract(name: string, adapter: AdapterUnderTest, tools: TestTools): void {
  for (const isStreaming of [false, true]) {
    tools.describe(`${name}${isStreaming ? ', streaming' : ''}`, () => {
      for (const describeSection of SECTIONS) describeSection(contractFor(adapter, isStreaming, tools))
    })
  }
}
