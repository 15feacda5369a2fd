import type { OpenSpec } from '../governor.ts'

/** What whoever finds a scope must know of it, beside what the ledger counts. */
export interface ScopeLabels {
  readonly taskId: string | null
  readonly agentType: string | null
  /** Whether it ends with a closing call; `null` where nobody has said. */
  readonly wrapsUp: boolean | null
}

/** The labels that a scope is opened with, as the store keeps them. */
export function labelsOf({ taskId, agentType, preset, wrapUp }: OpenSpec): Readonly<Record<string, string>> {
  const type = agentType ?? preset
  return {
    ...(taskId === undefined ? {} : { taskId }),
    ...(type === undefined ? {} : { agentType: type }),
    ...(wrapUp === undefined ? {} : { wrapUp: String(wrapUp) }),
  }
}

/** The same, as we use them. */
export function labelsFrom({ taskId, agentType, wrapUp }: Readonly<Record<string, string>>): ScopeLabels {
  return {
    taskId: taskId ?? null,
    agentType: agentType ?? null,
    wrapsUp: wrapUp === undefined ? null : wrapUp === 'true',
  }
}
