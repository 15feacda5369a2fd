import { type Announced, type Limit, passedShares, type ShareRule, shareAlertFields } from '../../../core/index.ts'
import type { Ledger } from '../state/ledger.ts'
import type { ScopeState } from '../state/ledger-state.ts'
import { createWatch } from './count-rate.ts'
import { raiseAlert, type ScopeAlert } from './raise-alert.ts'

/** Adds the alerts about a limit on a counter. Returns what has been announced about it now. */
export function watchCounter(
  rules: readonly ShareRule[],
  { scope, limit, settled }: { readonly scope: ScopeState; readonly limit: Limit; readonly settled: number },
  announced: Announced,
  into: ScopeAlert[],
): Announced {
  const raised = announced.alerts ?? NONE
  const passed = passedShares(rules, { max: limit.max, used: settled }, raised)
  if (passed.length === 0) return announced
  for (const rule of passed) into.push({ scope, fields: shareAlertFields(rule, limit.max, settled) })
  return { ...announced, alerts: [...raised, ...passed.map(({ name }) => name)] }
}

const NONE: readonly string[] = []

/** Raises the alerts about the working time of a scope: once for each maximum. */
export function watchTime(ledger: Ledger, scope: ScopeState, atMs: number): void {
  const { alerts } = ledger
  if (alerts === null || alerts.timeShares.length === 0) return
  let max = Number.POSITIVE_INFINITY
  for (const { limit } of scope.limits) if (limit.meter === 'time') max = Math.min(max, limit.max)
  if (max === Number.POSITIVE_INFINITY) return
  for (const rule of passedShares(alerts.timeShares, { max, used: scope.activeMs }, NONE)) {
    scope.watch ??= createWatch()
    if (scope.watch.raised[rule.name] === max) continue
    scope.watch.raised[rule.name] = max
    scope.changes?.touch(scope)
    raiseAlert(ledger, { scope, fields: shareAlertFields(rule, max, scope.activeMs) }, atMs)
  }
}
