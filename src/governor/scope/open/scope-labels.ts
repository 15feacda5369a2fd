import type { OpenSpec } from '../../governor.ts'

/** What a process that finds a scope needs to know, apart from what the ledger counts. */
export interface ScopeLabels {
  readonly taskId: string | null
  readonly agentType: string | null
  /** Whether it ends with a closing call; `null` if not specified. */
  readonly wrapsUp: boolean | null
}

/** The labels of a new scope, as stored. */
export function labelsOf({ taskId, agentType, preset, wrapUp }: OpenSpec): Readonly<Record<string, string>> {
  const type = agentType ?? preset
  return {
    ...(taskId === undefined ? {} : { taskId }),
    ...(type === undefined ? {} : { agentType: type }),
    ...(wrapUp === undefined ? {} : { wrapUp: String(wrapUp) }),
  }
}

/** The stored labels, parsed. */
export function labelsFrom({ taskId, agentType, wrapUp }: Readonly<Record<string, string>>): ScopeLabels {
  return {
    taskId: taskId ?? null,
    agentType: agentType ?? null,
    wrapsUp: wrapUp === undefined ? null : wrapUp === 'true',
  }
}
