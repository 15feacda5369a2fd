import { createMemoryStore } from '../../src/stores/memory/index.ts'
import type { Work } from '../measure.ts'
import { openChain } from '../open-chain.ts'

const AT_MS = 1_750_000_000_000

/** The memory store by itself: reserve and settle on every scope of a path, with four limits each. */
export async function storeSubject(depth: number): Promise<Work> {
  const store = createMemoryStore()
  const scopeId = await openChain(store, depth)
  let call = 0
  return async (times) => {
    for (let time = 0; time < times; time++) {
      const reservationId = `call-${call++}`
      const amounts = { toolCalls: 1, modelCalls: 1, tokens: 1_200, cost: 30_000 }
      await store.reserve({ reservationId, scopeId, amounts, holder: 'bench', atMs: AT_MS })
      const actual = { toolCalls: 1, modelCalls: 1, tokens: 1_000, cost: 21_000 }
      await store.settle({ reservationId, actual, atMs: AT_MS })
    }
  }
}
