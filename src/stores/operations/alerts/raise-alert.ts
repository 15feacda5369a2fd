import type { EventFields } from '../../../core/index.ts'
import { headerFor, recordEvent } from '../history/record-event.ts'
import type { Ledger } from '../state/ledger.ts'
import type { ScopeState } from '../state/ledger-state.ts'

/** An alert to raise. */
export interface ScopeAlert {
  readonly scope: ScopeState
  readonly fields: EventFields['alert_raised']
}

/** Records an alert, in the operation that found it. */
export function raiseAlert(ledger: Ledger, { scope, fields }: ScopeAlert, atMs: number): void {
  const draft = { ...headerFor(scope, 'alert_raised', atMs), ...fields }
  recordEvent(ledger, scope, atMs, draft)
  ledger.raised.push(draft)
}
