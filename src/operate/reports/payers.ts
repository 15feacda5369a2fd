import type { LedgerReader } from '../operator.ts'

const MOST_BUDGETS = 1_000_000

/** The paths of all budgets, by id. */
export async function readPayers({ store, nowMs }: LedgerReader): Promise<ReadonlyMap<string, string>> {
  const budgets = await store.list({ standing: 'all', kind: 'lasting', most: MOST_BUDGETS, atMs: nowMs() })
  return new Map(budgets.map(({ id, path }) => [id, path]))
}

/** The name on a path that begins with this kind: `user:ann`. */
export function nameOn(path: string | undefined, kind: 'team' | 'user'): string | null {
  return path?.split('/').findLast((name) => name.startsWith(`${kind}:`)) ?? null
}
