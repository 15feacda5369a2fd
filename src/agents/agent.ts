import type { AgentFormat, ParsedLimits } from '../policy/index.ts'
import type { Claim, Trust } from '../trust/index.ts'
import type { AgentProblem } from './agent-problem.ts'

/** Where an agent comes from. A trusted project's wins over the user's, and that over a built-in one. */
export type AgentSource = 'project' | 'user' | 'built-in'

export const THINKING_LEVELS = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const

/** How hard a model thinks before it answers. */
export type ThinkingLevel = (typeof THINKING_LEVELS)[number]

/** One agent as it is to run: its file read, its overrides applied. Frozen: a file that changes later changes nothing. */
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
  /** Names of our tools (read, write, edit, grep, glob, bash, budget, mcp:SERVER[/TOOL]); `null`: not said. */
  readonly tools: readonly string[] | null
  readonly disallowedTools: readonly string[]
  /** Names in the config. */
  readonly mcpServers: readonly string[]
  readonly defaultContext: 'fresh' | 'fork' | null
  /** A file, relative to the working folder of the run. */
  readonly output: string | null
  readonly outputMode: 'inline' | 'file-only'
  /** Files that are put into the first message. */
  readonly defaultReads: readonly string[]
  readonly defaultProgress: boolean
  readonly completionGuard: boolean
  /** Whether a call that repeats itself, with the same result each time, is stopped. */
  readonly repeatGuard: boolean
  readonly systemPromptMode: 'append' | 'replace'
  /** Whether AGENTS.md and CLAUDE.md of the working folder are read into the prompt. */
  readonly inheritProjectContext: boolean
  /** What the file and its overrides say of limits. */
  readonly limits: AgentLimitLayers
  /** A role of the presets, by `preset:` or by the agent's own name. */
  readonly preset: string | null
  /** Fields that are kept and not read. */
  readonly unknownFields: Readonly<Record<string, unknown>>
  /** Models that an untrusted file names, each with its place: no cost limit is dropped for them. */
  readonly untrustedModels?: Readonly<Record<string, string>>
  /** What untrusted files say about it and what is therefore not used, as places. */
  readonly leftOut?: readonly string[]
}

/** The limits of an agent as layers, the weakest first, each with the name of its layer: ready to be resolved. */
export interface AgentLimitLayers {
  readonly layers: readonly ParsedLimits[]
  /** For the caller's team and user; empty where nothing is said. */
  readonly team: readonly ParsedLimits[]
  readonly user: readonly ParsedLimits[]
}

/** What one config file says about agents, by the agent's name. */
export interface AgentOverrides {
  readonly file: string
  readonly layer: 'user' | 'project'
  readonly agents: ReadonlyMap<string, AgentOverride>
  /** What is believed of a project's file. Default: as for the project's agents. */
  readonly trust?: Trust
}

/** What is to differ from an agent's file. `false` clears a field. */
export interface AgentOverride {
  readonly fields: Readonly<Record<string, unknown>>
  /** Where these fields stand, e.g. `agents.developer`. */
  readonly field: string
  lineOf(field: string): number | undefined
}

/** The folders in which agents are looked for. */
export interface AgentPlaces {
  readonly workingFolder: string
  readonly homeFolder: string
  /** The weakest first. */
  readonly overrides?: readonly AgentOverrides[]
  /** What is believed of the project's files. Default: nothing, so that they only tighten. */
  readonly trust?: Trust
}

/** Every agent that can run, and what is wrong with those that cannot. */
export interface FoundAgents {
  readonly agents: ReadonlyMap<string, Agent>
  readonly problems: readonly AgentProblem[]
  /** Names that must not run, though a weaker agent of that name may be there: its problems. */
  readonly refused: ReadonlyMap<string, readonly AgentProblem[]>
  /** Names that an override disables, each with the place where it is written. */
  readonly disabled: ReadonlyMap<string, string>
  /** Those that another of the same name hides. */
  readonly hidden: readonly Agent[]
  /** What the project's files say and what is not used, because they are not trusted with it. */
  readonly leftOut: readonly Claim[]
}
