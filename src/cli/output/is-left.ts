import { isEnded, type ScopeReading } from '../../core/index.ts'

/** Whether a scope is `stale`: open, not paused, and the process that ran it is dead. */
export function isLeft(scope: ScopeReading, isHolderAlive: (holder: string) => boolean | null): boolean {
  if (isEnded(scope.status) || scope.status === 'paused' || scope.owner === null) return false
  return scope.isOrphaned || isHolderAlive(scope.owner) === false
}
