import { expect } from 'vitest'
import { describeStoreContract } from './describe-store-contract.ts'
import type { StoreUnderTest } from './store-under-test.ts'

/** Runs the contract without a test runner, and returns the titles of failed tests. */
export async function failuresOf(subject: StoreUnderTest): Promise<{ readonly tests: number; failed: string[] }> {
  const bodies: { readonly title: string; readonly body: () => Promise<void> }[] = []
  const titles: string[] = []
  describeStoreContract('a store', subject, {
    describe(title, body) {
      titles.push(title)
      body()
      titles.pop()
    },
    it(title, body) {
      bodies.push({ title: [...titles, title].join(' › '), body })
    },
    expect,
  })
  const failed: string[] = []
  for (const { title, body } of bodies) await body().catch(() => failed.push(title))
  return { tests: bodies.length, failed }
}
