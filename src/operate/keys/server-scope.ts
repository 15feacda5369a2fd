import { type LedgerStore, StintError } from '../../core/index.ts'

/**
 * The scope of the server itself. It spends nothing: keys to everything belong to it, so that they are in a journal like
 * all others, and its document has the secret that sessions are signed with, so that replicas agree on it.
 */
export const SERVER_SCOPE_ID = 'stint:server'

/** Makes sure that it exists. */
export async function openServerScope(store: Pick<LedgerStore, 'open'>, atMs: number): Promise<void> {
  const scope = {
    id: SERVER_SCOPE_ID,
    name: SERVER_SCOPE_ID,
    kind: 'lasting',
    owner: null,
    limits: [],
    about: { task: 'The keys and sessions of stint serve' },
  } as const
  await store.open({ parentId: null, scopes: [scope], atMs })
}

/** Refuses what would make it an ordinary budget: what is spent there would be hidden from every dashboard. */
export function refuseServerScope(scopeId: string): void {
  if (scopeId !== SERVER_SCOPE_ID) return
  throw new StintError(
    'not_allowed',
    `"${SERVER_SCOPE_ID}" belongs to stint serve. Nothing can be spent or changed there.`,
  )
}
