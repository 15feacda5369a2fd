import { isEnded, type ScopeReading } from '../../core/index.ts'
import { withAssumed } from '../assumed/with-assumed.ts'
import type { Operator } from '../operator.ts'

/** A scope as the ledger has it, and what can be seen from here. */
export interface ScopeDetails extends ScopeReading {
  /** `null` for a budget, which no process runs, and if the process cannot be seen from here. */
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

/** Adds to scopes whether their processes are alive, and how much of their settled spend is only assumed. */
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
