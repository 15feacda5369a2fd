import type { CounterMeter, LedgerStore, Limit } from '../src/core/index.ts'

const METERS: readonly CounterMeter[] = ['toolCalls', 'modelCalls', 'tokens', 'cost']
const AT_MS = 1_750_000_000_000

/** A limit that is never reached. */
function wideLimit(meter: CounterMeter): Limit {
  const source = { layer: 'call', written: meter } as const
  return { meter, max: 2 ** 52, per: null, timeZone: 'UTC', action: 'terminate', nearing: [0.8], source }
}

/** A chain of scopes below each other, with a limit on each of four meters. Returns the id of the innermost. */
export async function openChain(store: LedgerStore, depth: number, prefix = 'scope'): Promise<string> {
  let parentId: string | null = null
  for (let level = 0; level < depth; level++) {
    const id = `${prefix}-${level}`
    const limits = METERS.map(wideLimit)
    await store.open({ parentId, scopes: [{ id, name: id, kind: 'agent', owner: 'bench', limits }], atMs: AT_MS })
    parentId = id
  }
  return parentId!
}
