import type { TestTools } from '../store-contract/test-tools.ts'
import type { AdapterUnderTest } from './adapter-under-test.ts'
import { contractFor } from './contract.ts'
import { describeClosing } from './describe-closing.ts'
import { describeClosingPolicy } from './describe-closing-policy.ts'
import { describeCounting } from './describe-counting.ts'
import { describeFaults } from './describe-faults.ts'
import { describeMedia } from './describe-media.ts'
import { describeMoney } from './describe-money.ts'
import { describePausing } from './describe-pausing.ts'
import { describeProviderTools } from './describe-provider-tools.ts'
import { describeReporting } from './describe-reporting.ts'

const SECTIONS = {
  counting: describeCounting,
  closing: describeClosing,
  'closing-policy': describeClosingPolicy,
  pausing: describePausing,
  money: describeMoney,
  media: describeMedia,
  'provider-tools': describeProviderTools,
  faults: describeFaults,
  reporting: describeReporting,
}

/** A part of the contract. */
export type ContractSection = keyof typeof SECTIONS

/** Which part of the contract to run. Default: all of it. */
export interface ContractOptions {
  readonly sections?: readonly ContractSection[]
  /** Both ways by default. */
  readonly streaming?: readonly boolean[]
}

/**
 * The contract of an adapter, as tests that every adapter runs unchanged: the same scripted run gives the same counts,
 * refusals, hints and events in every framework, streaming or not. Everything is checked at the provider, in the tools
 * and in the ledger, not by what an adapter reports.
 */
export function describeAdapterContract(
  name: string,
  adapter: AdapterUnderTest,
  tools: TestTools,
  { sections = Object.keys(SECTIONS) as ContractSection[], streaming = [false, true] }: ContractOptions = {},
): void {
  for (const isStreaming of streaming) {
    tools.describe(`${name}${isStreaming ? ', streaming' : ''}`, () => {
      const contract = contractFor(adapter, isStreaming, tools)
      for (const section of sections) SECTIONS[section](contract)
    })
  }
}
