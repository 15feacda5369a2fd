import { isAmount } from '../../core/index.ts'
import { watchTime } from './alerts/watch-shares.ts'
import type { Ledger } from './state/ledger.ts'
import type { ScopeState } from './state/ledger-state.ts'

/** Stores how long a scope has worked, in whole milliseconds. It never decreases. */
export function noteActive(
  ledger: Ledger,
  scope: ScopeState,
  { activeMs, atMs }: { readonly activeMs?: number; readonly atMs: number },
): void {
  const wholeMs = Math.floor(activeMs ?? 0)
  if (!isAmount(wholeMs) || wholeMs <= scope.activeMs) return
  scope.activeMs = wholeMs
  scope.changes?.touch(scope)
  watchTime(ledger, scope, atMs)
}
