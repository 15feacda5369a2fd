import type { Acceptance, AcceptanceInput } from '../../../agents/index.ts'
import type { AskAbove, JsonSchema, LimitsInput, ParsedLimits } from '../../../policy/index.ts'

/** What the children of a group may have of its pool: the same for each, or these limits. */
export type Share = 'equal' | ParsedLimits

/** Whether a child begins with nothing but its task, or with a copy of the conversation that it is started from. */
export type ChildContext = 'fresh' | 'fork'

/** What one agent is to do. In a chain `task` and `label` are templates. */
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
  /** Files that it is shown with its task. */
  readonly reads: readonly string[]
  /** A file for its answer; `false`: none, whatever the agent says; `null`: as the agent says. */
  readonly output: string | false | null
  readonly outputMode: 'inline' | 'file-only' | null
  /** Whether it keeps a file of its progress; `null`: as the agent says. */
  readonly progress: boolean | null
  /** What its answer must match, as JSON. */
  readonly outputSchema: JsonSchema | null
  /** When its work counts as done; `false`: when it says so; `null`: as the agent's file says. Older groups have none. */
  readonly acceptance?: Acceptance | false | null
  /** `null`: as the group or the agent says. */
  readonly context: ChildContext | null
  /** Over the agent's own, the weakest first. */
  readonly limits: readonly ParsedLimits[]
  /** How many of it are started: in a parallel step. */
  readonly count: number
}

/** What the steps that start several agents have in common. */
export interface StepGroup {
  readonly phase: string | null
  readonly label: string | null
  /** How many run at once; `null`: as the group says. */
  readonly concurrency: number | null
  /** Whether the first child that does not complete ends the step: those that run are stopped, others not started. */
  readonly failFast: boolean
  /** Whether each child works in a git worktree of its own. */
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

/** One agent for each item of a list that an earlier step has given. */
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
  /** What an item is called in templates. */
  readonly item: string
  /** A JSON Pointer into each item to the text that tells it from the others; `null`: its place in the list. */
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

/** Steps that follow each other, read and checked. Frozen: a file that changes later changes nothing. */
export interface Chain {
  readonly name: string
  readonly description: string
  readonly source: ChainSource
  /** `null`: handed over in code. */
  readonly file: string | null
  readonly steps: readonly ChainStep[]
  readonly context: ChildContext | null
  readonly concurrency: number | null
  /** Of the whole chain, the weakest first. */
  readonly limits: readonly ParsedLimits[]
  /** What it may come to before someone is asked. */
  readonly askAbove: readonly ParsedLimits[]
  readonly timeoutMs: number | null
  /** Models that an untrusted file names, each with its place: no cost limit is dropped for them. */
  readonly untrustedModels: Readonly<Record<string, string>>
  /** What of it is not used because it is not trusted, as places. */
  readonly leftOut: readonly string[]
  /** What a person should know, e.g. a field of another program that nothing here reads. */
  readonly warnings: readonly string[]
}

// A tag that no JSON or YAML can carry, so that a document is never taken for something already checked.
const TAG = Symbol.for('stint.chain')

/** Marks a chain as read and checked. */
export function tagChain(chain: Chain): Chain {
  return Object.freeze({ ...chain, [TAG]: true })
}

/** Whether `value` came out of a reader of this package. */
export function isChain(value: Chain | ChainInput): value is Chain {
  return TAG in value
}

/** One agent's part of a chain, as it is written. */
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

/** What the steps that start several agents have in common, as it is written. */
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

/** A chain as it is written, in a file or in code. */
export interface ChainInput {
  readonly name?: string
  readonly description?: string
  readonly steps: readonly StepInput[]
  readonly context?: ChildContext
  readonly concurrency?: number
  readonly limits?: LimitsInput
  readonly askAbove?: AskAbove
  readonly timeoutMs?: number
  /** Another name of `timeoutMs`: where both are given they must be equal. */
  readonly maxRuntimeMs?: number
}
