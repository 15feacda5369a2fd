import type { Acceptance, AcceptanceInput } from '../../../agents/index.ts'
import type { AskAbove, JsonSchema, LimitsInput, ParsedLimits } from '../../../policy/index.ts'

/** Each child's share of a group's pool: an equal one, or these limits. */
export type Share = 'equal' | ParsedLimits

/** Whether a child begins with only its task, or with a copy of the conversation that it is started from. */
export type ChildContext = 'fresh' | 'fork'

/** The work of one agent. In a chain, `task` and `label` are templates. */
export interface ChildStep {
  readonly agent: string
  readonly task: string
  /** The name of its output, for `{outputs.NAME}`. */
  readonly as: string | null
  readonly phase: string | null
  readonly label: string | null
  readonly model: string | null
  /** Instead of the agent's own. */
  readonly tools: readonly string[] | null
  /** Files to show with its task. */
  readonly reads: readonly string[]
  /** A file for its answer; `false`: none, even if the agent has one; `null`: the agent's own. */
  readonly output: string | false | null
  readonly outputMode: 'inline' | 'file-only' | null
  /** Whether it maintains a progress file; `null`: the agent's own setting. */
  readonly progress: boolean | null
  /** A JSON schema that its answer must match. */
  readonly outputSchema: JsonSchema | null
  /**
   * When its work counts as done; `false`: when it says so; `null`: the agent's own contract. Older groups have none.
   */
  readonly acceptance?: Acceptance | false | null
  /** `null`: the setting of the group or the agent. */
  readonly context: ChildContext | null
  /** They override the agent's own; weakest first. */
  readonly limits: readonly ParsedLimits[]
  /** How many copies are started, in a parallel step. */
  readonly count: number
}

/** The common fields of steps that start several agents. */
export interface StepGroup {
  readonly phase: string | null
  readonly label: string | null
  /** How many run at once; `null`: the group's setting. */
  readonly concurrency: number | null
  /** Whether the first child that does not complete ends the step: running ones are stopped, others are not started. */
  readonly failFast: boolean
  /** Whether each child works in its own git worktree. */
  readonly worktree: boolean
  readonly share: Share | null
}

/** One agent. */
export interface SequentialStep {
  readonly kind: 'sequential'
  readonly child: ChildStep
}

/** Several agents at once. */
export interface ParallelStep extends StepGroup {
  readonly kind: 'parallel'
  readonly children: readonly ChildStep[]
}

/** One agent for each item of a list in an earlier step's output. */
export interface ExpandStep extends StepGroup {
  readonly kind: 'expand'
  readonly expand: Expand
  readonly child: ChildStep
  readonly collect: Collect
}

export type ChainStep = SequentialStep | ParallelStep | ExpandStep

/** Where the items of a fan-out come from. */
export interface Expand {
  readonly from: {
    /** The name of an earlier output, which must be JSON. */
    readonly output: string
    /** A JSON Pointer to the list in it; `''`: the output itself. */
    readonly path: string
  }
  /** The name of an item in templates. */
  readonly item: string
  /** A JSON Pointer to the unique key in each item; `null`: its index in the list. */
  readonly key: string | null
  readonly maxItems: number
  readonly onEmpty: 'skip' | 'fail'
}

/** Where the answers of a fan-out go: a list in the order of the items. */
export interface Collect {
  readonly as: string
  readonly outputSchema: JsonSchema | null
}

/** Where a chain comes from; `call`: it was passed in code, or its file was named. */
export type ChainSource = 'project' | 'user' | 'call'

/** Steps in sequence, parsed and checked. Frozen: later changes to the file have no effect. */
export interface Chain {
  readonly name: string
  readonly description: string
  readonly source: ChainSource
  /** `null`: passed in code. */
  readonly file: string | null
  readonly steps: readonly ChainStep[]
  readonly context: ChildContext | null
  readonly concurrency: number | null
  /** Limits of the whole chain, weakest first. */
  readonly limits: readonly ParsedLimits[]
  /** How large it may get before a person is asked. */
  readonly askAbove: readonly ParsedLimits[]
  readonly timeoutMs: number | null
  /** Models that an untrusted file names, with their places: no cost limit is dropped for them. */
  readonly untrustedModels: Readonly<Record<string, string>>
  /** The places of settings that are ignored because they are not trusted. */
  readonly leftOut: readonly string[]
  /** Notes for the user, e.g. about a field of another program that has no effect here. */
  readonly warnings: readonly string[]
}

// A tag that JSON and YAML cannot carry, so that a document is never mistaken for a checked chain.
const TAG = Symbol.for('stint.chain')

/** Marks a chain as parsed and checked. */
export function tagChain(chain: Chain): Chain {
  return Object.freeze({ ...chain, [TAG]: true })
}

/** Whether `value` was returned by a parser of this package. */
export function isChain(value: Chain | ChainInput): value is Chain {
  return TAG in value
}

/** One agent's part of a chain, as written. */
export interface ChildInput {
  readonly agent: string
  readonly task?: string
  readonly as?: string
  readonly phase?: string
  readonly label?: string
  readonly model?: string
  readonly tools?: string | readonly string[]
  readonly reads?: string | readonly string[] | false
  readonly output?: string | false
  readonly outputMode?: 'inline' | 'file-only'
  readonly progress?: boolean
  readonly outputSchema?: JsonSchema
  readonly acceptance?: AcceptanceInput | false
  readonly context?: ChildContext
  readonly limits?: LimitsInput
  readonly count?: number
}

/** The common fields of steps that start several agents, as written. */
export interface GroupInput {
  readonly phase?: string
  readonly label?: string
  readonly concurrency?: number
  readonly failFast?: boolean
  readonly worktree?: boolean
  readonly share?: 'equal' | LimitsInput
}

export interface ParallelInput extends GroupInput {
  readonly parallel: readonly ChildInput[]
}

export interface ExpandInput extends GroupInput {
  readonly expand: {
    readonly from: { readonly output: string; readonly path?: string }
    readonly item?: string
    readonly key?: string
    readonly maxItems?: number
    readonly onEmpty?: 'skip' | 'fail'
  }
  readonly parallel: ChildInput
  readonly collect: { readonly as: string; readonly outputSchema?: JsonSchema }
}

export type StepInput = ChildInput | ParallelInput | ExpandInput

/** A chain as written, in a file or in code. */
export interface ChainInput {
  readonly name?: string
  readonly description?: string
  readonly steps: readonly StepInput[]
  readonly context?: ChildContext
  readonly concurrency?: number
  readonly limits?: LimitsInput
  readonly askAbove?: AskAbove
  readonly timeoutMs?: number
  /** An alias of `timeoutMs`: if both are set, they must be equal. */
  readonly maxRuntimeMs?: number
}
