import type { StintEvent } from '../../core/index.ts'
import type { Alert } from '../contract.ts'

/** An alert as JSON; `null` for any other event. `number`: its number in the tree of its root. */
export function alertView(event: StintEvent, number: number): Alert | null {
  if (event.event !== 'alert_raised') return null
  const { ts, rule, message, scope, scope_path: scopePath, value, threshold, window_ms: windowMs } = event
  return { id: `${scope}#${number}`, ts, rule, message, scope, scopePath, value, threshold, windowMs }
}
