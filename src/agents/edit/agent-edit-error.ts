import { StintError } from '../../core/index.ts'

export type AgentEditReason = 'agent_exists' | 'agent_changed' | 'agent_not_editable'

/** An agent's file could not be created, changed or deleted. Nothing was written. */
export class AgentEditError extends StintError<AgentEditReason> {
  readonly agent: string

  constructor(code: AgentEditReason, agent: string, message: string) {
    super(code, message)
    this.agent = agent
  }
}
