import type { AgentFormat, AgentLimits } from '../../policy/index.ts'
import type { AgentSource } from '../agent.ts'
import type { AgentProblem } from '../agent-problem.ts'
import type { AgentFields } from '../fields/agent-fields.ts'

/** Where an agent's text comes from. */
export interface AgentOrigin {
  readonly source: AgentSource
  readonly format: AgentFormat
  /** As messages show it; of a built-in one it is no file. */
  readonly file: string
  /** The name of an agent whose file gives it none. */
  readonly nameOfFile: string
}

/** What a file says, checked; overrides and defaults are not applied yet. */
export interface AgentDraft {
  readonly kind: 'draft'
  readonly origin: AgentOrigin
  readonly name: string
  readonly fields: AgentFields
  /** The weakest first. */
  readonly limits: readonly AgentLimits[]
  readonly prompt: string
  readonly unknownFields: Readonly<Record<string, unknown>>
  /** Models that it is not believed for, each with its place. */
  readonly untrustedModels?: Readonly<Record<string, string>>
  lineOf(field: string): number | undefined
}

/** A file that cannot be read as an agent. */
export interface AgentRefusal {
  readonly kind: 'refused'
  readonly origin: AgentOrigin
  /** The name that the file gives its agent: it must not fall back on a weaker one. `null`: no name that can be asked for. */
  readonly name: string | null
  readonly problems: readonly AgentProblem[]
}
