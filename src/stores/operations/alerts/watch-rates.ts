import { type AmountVector, rateAlertFields } from '../../../core/index.ts'
import type { Ledger } from '../state/ledger.ts'
import type { ScopeState } from '../state/ledger-state.ts'
import { countRate, createWatch } from './count-rate.ts'
import { raiseAlert } from './raise-alert.ts'

/**
 * Adds what was charged in a tree to its rates, and raises the alerts about them. A correction only adds what exceeds
 * the earlier charge: an amount given back may belong to another hour.
 */
export function watchRates(
  ledger: Ledger,
  scope: ScopeState,
  before: AmountVector | null,
  charged: AmountVector,
  atMs: number,
): void {
  const { alerts } = ledger
  if (alerts === null) return
  const root = scope.rootToSelf[0]!
  for (const of of alerts.rates) {
    const amount = charged[of.index]! - (before?.[of.index] ?? 0)
    if (amount <= 0) continue
    root.watch ??= createWatch()
    root.changes?.touch(root)
    countRate(root.watch, of, amount, atMs, (rule, total) => {
      raiseAlert(ledger, { scope: root, fields: rateAlertFields(rule, total) }, atMs)
    })
  }
}
