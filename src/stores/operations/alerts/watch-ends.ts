import { type EndStatus, endsAlertFields } from '../../../core/index.ts'
import type { Ledger } from '../state/ledger.ts'
import type { ScopeState, Watch } from '../state/ledger-state.ts'
import { countRate, createWatch } from './count-rate.ts'
import { raiseAlert } from './raise-alert.ts'

/** The name under which the ledger stores how many agents ended badly in the latest periods, over all trees. */
export const ENDS_KEPT = 'ends'

/** Whether the end of a scope with this status is counted. */
export function isBadEnd(status: EndStatus): boolean {
  return status !== 'completed' && status !== 'detached'
}

/** Counts the end of an agent. An alert is raised on the agent whose end was one too many. */
export function watchEnds(ledger: Ledger, scope: ScopeState, status: EndStatus, atMs: number): void {
  if (ledger.alerts === null || scope.kind !== 'agent' || !isBadEnd(status)) return
  const about = ledger.alerts.ends.filter(({ rules: [{ ends }] }) => ends.some((end) => end === status))
  if (about.length === 0) return
  const kept = ledger.kept(ENDS_KEPT)
  const watch = kept === null ? createWatch() : watchFromText(kept)
  for (const of of about) {
    countRate(watch, of, 1, atMs, (rule, total) =>
      raiseAlert(ledger, { scope, fields: endsAlertFields(rule, total) }, atMs),
    )
  }
  ledger.keep(ENDS_KEPT, watchText(watch))
}

/** A watch as it is stored. */
export function watchText({ rates, raised }: Watch): string {
  return JSON.stringify({ rates, raised })
}

export function watchFromText(text: string): Watch {
  const { rates, raised }: Watch = JSON.parse(text)
  const { rates: ratesBare, raised: raisedBare } = createWatch()
  return { rates: Object.assign(ratesBare, rates), raised: Object.assign(raisedBare, raised) }
}
