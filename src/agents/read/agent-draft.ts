import type { AgentFormat, AgentLimits } from '../../policy/index.ts'
import type { AgentSource } from '../agent.ts'
import type { AgentProblem } from '../agent-problem.ts'
import type { AgentFields } from '../fields/agent-fields.ts'

/** Where an agent's text comes from. */
export interface AgentOrigin {
  readonly source: AgentSource
  readonly format: AgentFormat
  /** As messages show it; `built-in:NAME` for a built-in agent. */
  readonly file: string
  /** The agent's name if the file doesn't set one. */
  readonly nameOfFile: string
}

/** A valid agent file, before overrides and defaults are applied. */
export interface AgentDraft {
  readonly kind: 'draft'
  readonly origin: AgentOrigin
  readonly name: string
  readonly fields: AgentFields
  /** Weakest first. */
  readonly limits: readonly AgentLimits[]
  readonly prompt: string
  readonly unknownFields: Readonly<Record<string, unknown>>
  /** Models that it is not trusted with, and their places. */
  readonly untrustedModels?: Readonly<Record<string, string>>
  lineOf(field: string): number | undefined
}

/** A file that cannot be read as an agent. */
export interface AgentRefusal {
  readonly kind: 'refused'
  readonly origin: AgentOrigin
  /** The agent's name, which must not fall back to a weaker agent. `null`: no valid name. */
  readonly name: string | null
  readonly problems: readonly AgentProblem[]
}
