import { type ContractLedger, createContractLedger } from './contract-ledger.ts'
import type { OpenedStore } from './store-under-test.ts'
import type { TestTools } from './test-tools.ts'

/** The tools for writing a section of the contract. */
export interface Contract extends Pick<TestTools, 'describe' | 'expect'> {
  /** A test on a new ledger, which is disposed of afterwards. */
  test(title: string, body: (ledger: ContractLedger) => Promise<void>): void
}

/** The tools of a test runner, with tests that get a ledger. */
export function contractWith({ describe, it, expect }: TestTools, openStore: () => Promise<OpenedStore>): Contract {
  return {
    describe,
    expect,
    test: (title, body) =>
      it(title, async () => {
        const { store, second, dispose } = await openStore()
        try {
          await body(createContractLedger(store, second))
        } finally {
          await dispose()
        }
      }),
  }
}
