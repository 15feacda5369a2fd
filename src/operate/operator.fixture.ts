import type { NewScope } from '../core/index.ts'
import { createMemoryStore } from '../stores/memory/index.ts'
import type { Operator } from './operator.ts'

export const NOW_MS = Date.UTC(2026, 10, 18, 9)

export interface TestOperator extends Operator {
  open(scope: Partial<NewScope> & { readonly id: string }, parentId?: string | null): Promise<void>
}

/**
 * Ann, on a ledger in memory. Processes whose name starts with `dead` are dead, and those with `far` cannot be seen.
 */
export function createOperator(): TestOperator {
  const store = createMemoryStore()
  return {
    store,
    by: 'ann',
    nowMs: () => NOW_MS,
    isHolderAlive: (holder) => (holder.startsWith('far') ? null : !holder.startsWith('dead')),
    async open(scope, parentId = null) {
      const scopes = [{ name: scope.id, kind: 'agent', owner: 'holder', limits: [], ...scope } as const]
      const { kind } = await store.open({ parentId, scopes, atMs: NOW_MS })
      if (kind !== 'opened') throw new Error(`${scope.id} was not opened: ${kind}`)
    },
  }
}
