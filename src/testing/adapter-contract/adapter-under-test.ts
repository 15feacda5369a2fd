import type { Breach, Status } from '../../core/index.ts'
import type { Scope } from '../../governor/index.ts'
import type { ScriptedModel } from '../../scripted/scripted-model.ts'

/** A tool of an agent under test. It returns the result that the model sees. */
export interface ContractTool {
  readonly name: string
  readonly changes?: boolean
  readonly polls?: boolean
  readonly endsWork?: boolean
  execute(input: unknown, options: { readonly signal: AbortSignal }): Promise<string> | string
}

/** An image, a document or audio for an agent under test. */
export interface ContractFile {
  readonly mediaType: string
  readonly data: Uint8Array
}

/** A framework-neutral agent, from which the adapter builds its own, under the scope. */
export interface ContractAgent {
  readonly scope: Scope
  /** Every request of the framework must arrive here. */
  readonly model: ScriptedModel
  /** The name by which the model is priced. */
  readonly modelId: string
  readonly tools: readonly ContractTool[]
  readonly instructions: string
  readonly prompt: string
  /** Sent with the prompt, in the same message. */
  readonly files?: readonly ContractFile[]
  /** Requests offer a provider-run web search with this bound. Default: they don't. */
  readonly maxWebSearches?: number
  readonly isStreaming: boolean
  readonly repeatGuard: boolean
  /** How often the framework retries a request that the provider refused temporarily. */
  readonly maxRetries: number
  /** The output cap of each request, including thinking. */
  readonly maxOutputTokens?: number
  readonly thinkingBudget?: number
}

/** The result of a run, in terms that every adapter has. */
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
 *   Without it, a call that doesn't fit is removed from the model's answer before it can run.
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

/** An adapter to test. */
export interface AdapterUnderTest {
  /**
   * What it lacks, with the reasons. The tests that need it are skipped, and reported with that reason. Default: nothing.
   */
  readonly lacks?: Partial<Readonly<Record<AdapterPower, string>>>
  /** Runs an agent to its end under its scope, which it closes after the last of its runs, unless one is paused. */
  run(agent: ContractAgent): Promise<ContractRun>
  /** Resumes a paused run as another process would: with a new agent, and nothing but the scope. */
  resume(agent: ContractAgent): Promise<ContractRun>
}
