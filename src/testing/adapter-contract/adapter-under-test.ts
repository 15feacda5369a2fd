import type { Breach, Status } from '../../core/index.ts'
import type { Scope } from '../../governor/index.ts'
import type { ScriptedModel } from '../../scripted/scripted-model.ts'

/** A tool of an agent under test. What it returns is its result, as the model is to see it. */
export interface ContractTool {
  readonly name: string
  readonly changes?: boolean
  readonly polls?: boolean
  readonly endsWork?: boolean
  execute(input: unknown, options: { readonly signal: AbortSignal }): Promise<string> | string
}

/** An image, a document or a sound that an agent under test is shown. */
export interface ContractFile {
  readonly mediaType: string
  readonly data: Uint8Array
}

/** An agent, in no framework's form: the adapter builds its own from it, under the scope. */
export interface ContractAgent {
  readonly scope: Scope
  /** Every request of the framework is to arrive here, and nowhere else. */
  readonly model: ScriptedModel
  /** The name by which the model is priced. */
  readonly modelId: string
  readonly tools: readonly ContractTool[]
  readonly instructions: string
  readonly prompt: string
  /** Sent with the prompt, in the same message. */
  readonly files?: readonly ContractFile[]
  /** Its requests list a web search that the provider runs, with this bound for each. Default: they list none. */
  readonly maxWebSearches?: number
  readonly isStreaming: boolean
  readonly repeatGuard: boolean
  /** How often the framework sends a request again that the provider refused for now. */
  readonly maxRetries: number
  /** The output cap of each request, with the thinking in it. */
  readonly maxOutputTokens?: number
  readonly thinkingBudget?: number
}

/** What became of a run, in the words that every adapter has. */
export interface ContractRun {
  readonly status: Status
  readonly output: unknown
  readonly partialOutput: string | null
  readonly breach: Pick<Breach, 'meter'> | null
  readonly mayBeHalfDone: boolean
}

/**
 * What an adapter may lack by its nature.
 *
 * - `run-tools`: it runs the agent's tools, so that it knows how they are declared and answers a refused call itself.
 *   Without it, a call that finds no room is taken out of the model's answer, before anything runs it.
 * - `guard-repeats`: it has a repeat guard.
 * - `save-conversation`: a paused run returns with its conversation saved. Without it, the run waits where it is.
 * - `bound-thinking`: requests name a thinking budget.
 * - `bound-searches`: requests list a web search that the provider runs, with a bound.
 * - `fill-slot`: the line about the budget replaces `{budget}` in the instructions.
 */
export type AdapterPower =
  | 'run-tools'
  | 'guard-repeats'
  | 'save-conversation'
  | 'bound-thinking'
  | 'bound-searches'
  | 'fill-slot'

/** An adapter, as its author hands it over to be tested. */
export interface AdapterUnderTest {
  /**
   * What it lacks, each with the reason. The points of the contract that need it are not run, and are reported under
   * that reason. Default: nothing.
   */
  readonly lacks?: Partial<Readonly<Record<AdapterPower, string>>>
  /** Runs an agent to its end under its scope, which it closes with the last of its runs, unless one is paused. */
  run(agent: ContractAgent): Promise<ContractRun>
  /** Goes on with a run that was paused, as another process would: with an agent built anew, and nothing but the scope. */
  resume(agent: ContractAgent): Promise<ContractRun>
}
