import type { AgentFormat, LimitsInput, ParsedLimits } from '../policy/index.ts'
import type { Claim, Trust } from '../trust/index.ts'
import type { Acceptance } from './acceptance/acceptance.ts'
import type { AgentProblem } from './agent-problem.ts'

/** Where an agent comes from. A trusted project's agent wins over the user's, and the user's over a built-in one. */
export type AgentSource = 'project' | 'user' | 'built-in'

export const THINKING_LEVELS = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const

/** How hard a model thinks before it answers. */
export type ThinkingLevel = (typeof THINKING_LEVELS)[number]

/** An agent, ready to run: its file read, its overrides applied. Frozen: later changes to the file have no effect. */
export interface Agent {
  readonly name: string
  readonly description: string
  /** The body of the file: the system prompt. */
  readonly prompt: string
  readonly source: AgentSource
  readonly format: AgentFormat
  /** `null`: built in. */
  readonly file: string | null
  /** `anthropic/…`, `sonnet`; `null`: the default. */
  readonly model: string | null
  readonly fallbackModels: readonly string[]
  readonly thinking: ThinkingLevel | null
  /** Names of our tools (read, write, edit, grep, glob, bash, budget, mcp:SERVER[/TOOL]); `null`: not set. */
  readonly tools: readonly string[] | null
  readonly disallowedTools: readonly string[]
  /** Names from the config. */
  readonly mcpServers: readonly string[]
  readonly defaultContext: 'fresh' | 'fork' | null
  /** A file, relative to the working folder of the run. */
  readonly output: string | null
  readonly outputMode: 'inline' | 'file-only'
  /** Files that are included in the first message. */
  readonly defaultReads: readonly string[]
  readonly defaultProgress: boolean
  readonly completionGuard: boolean
  /** Whether repeated calls with the same result are stopped. */
  readonly repeatGuard: boolean
  readonly systemPromptMode: 'append' | 'replace'
  /** Whether the working folder's AGENTS.md and CLAUDE.md are added to the prompt. */
  readonly inheritProjectContext: boolean
  /** How often it may hand in a result until one is accepted. */
  readonly attempts: number
  /** The agents that it may hand its conversation over to, each with its own limits; `null`: any. */
  readonly handoffs: Readonly<Record<string, LimitsInput>> | null
  /** When its work counts as done; `null`: when it says so. */
  readonly acceptance: Acceptance | null
  /** The limits in the file and its overrides. */
  readonly limits: AgentLimitLayers
  /** The preset named by `preset:`, or by the agent's own name. */
  readonly preset: string | null
  /** Fields that are kept but not read. */
  readonly unknownFields: Readonly<Record<string, unknown>>
  /** Models named by untrusted files, with their places: no cost limit is dropped for these. */
  readonly untrustedModels?: Readonly<Record<string, string>>
  /** The places of settings that are ignored because their file is not trusted. */
  readonly leftOut?: readonly string[]
}

/** The limits of an agent as layers for `resolveLimits`, weakest first. */
export interface AgentLimitLayers {
  readonly layers: readonly ParsedLimits[]
  /** For the caller's team and user; empty if not set. */
  readonly team: readonly ParsedLimits[]
  readonly user: readonly ParsedLimits[]
  /** How much it may plan before a person is asked. */
  readonly askAbove: readonly ParsedLimits[]
}

/** One config file's overrides, by the agent's name. */
export interface AgentOverrides {
  readonly file: string
  readonly layer: 'user' | 'project'
  readonly agents: ReadonlyMap<string, AgentOverride>
  /** The trust in a project's file. Default: as for the project's agents. */
  readonly trust?: Trust
}

/** Changes to an agent's file. `false` clears a field. */
export interface AgentOverride {
  readonly fields: Readonly<Record<string, unknown>>
  /** The field that holds these fields, e.g. `agents.developer`. */
  readonly field: string
  lineOf(field: string): number | undefined
}

/** Where to look for agents. */
export interface AgentPlaces {
  readonly workingFolder: string
  readonly homeFolder: string
  /** Weakest first. */
  readonly overrides?: readonly AgentOverrides[]
  /** The trust in the project's files. Default: none, so that they can only tighten. */
  readonly trust?: Trust
}

/** Every agent that can run, and the problems of those that can't. */
export interface FoundAgents {
  readonly agents: ReadonlyMap<string, Agent>
  readonly problems: readonly AgentProblem[]
  /** Names that must not run, even if there is a weaker agent of that name, with their problems. */
  readonly refused: ReadonlyMap<string, readonly AgentProblem[]>
  /** Names that an override disables, with the place of that override. */
  readonly disabled: ReadonlyMap<string, string>
  /** Agents that are hidden by a stronger one of the same name. */
  readonly hidden: readonly Agent[]
  /** Claims of the project's files that are ignored because they are not trusted. */
  readonly leftOut: readonly Claim[]
}
