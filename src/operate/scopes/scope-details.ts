import { isEnded, type ScopeReading } from '../../core/index.ts'
import { withAssumed } from '../assumed/with-assumed.ts'
import type { Operator } from '../operator.ts'

/** A scope with what can be told from here, beside how it stands in the ledger. */
export interface ScopeDetails extends ScopeReading {
  /** `null` for a budget, which no process runs, and where the process cannot be seen from here. */
  readonly isOwnerAlive: boolean | null
  /** Open and not paused, although the process that ran it is dead. */
  readonly isStale: boolean
}

/** Whether the process that runs a scope is alive. */
export function isOwnerAlive(
  { isHolderAlive }: Pick<Operator, 'isHolderAlive'>,
  { owner, isOrphaned }: ScopeReading,
): boolean | null {
  if (owner === null) return null
  return isOrphaned ? false : isHolderAlive(owner)
}

/** What is to be known of scopes, and how much of what they have settled is only assumed. */
export async function scopeDetails(
  operator: Operator,
  scopes: readonly ScopeReading[],
): Promise<readonly ScopeDetails[]> {
  // One process may run thousands of them.
  const known = new Map<string, boolean | null>()
  const isHolderAlive = (holder: string): boolean | null => {
    if (!known.has(holder)) known.set(holder, operator.isHolderAlive(holder))
    return known.get(holder)!
  }
  return (await withAssumed(operator, scopes)).map((scope) => {
    const isAlive = isOwnerAlive({ isHolderAlive }, scope)
    const isStale = isAlive === false && !isEnded(scope.status) && scope.status !== 'paused'
    return { ...scope, isOwnerAlive: isAlive, isStale }
  })
}
