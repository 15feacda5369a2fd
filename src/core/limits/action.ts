/** What a limit does when it is breached. */
export type Action = 'terminate' | 'pause' | 'warn' | 'ask'

export const ACTIONS = ['terminate', 'pause', 'warn', 'ask'] as const satisfies readonly Action[]

export const DEFAULT_ACTION: Action = 'terminate'

/** Whether a limit with this action can refuse anything: `warn` only reports. */
export function isEnforced(action: Action): boolean {
  return action !== 'warn'
}

/** Whether a breach of a limit with this action can end in a closing call, so that a hold must pay for one. */
export function endsInClosingCall(action: Action): boolean {
  return action === 'terminate' || action === 'ask'
}
