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

/** An adapter, as its author hands it over to be tested. */
export interface AdapterUnderTest {
  /** Runs an agent to its end under its scope, which it closes with the last of its runs, unless one is paused. */
  run(agent: ContractAgent): Promise<ContractRun>
  /** Goes on with a run that was paused, as another process would: with an agent built anew, and nothing but the scope. */
  resume(agent: ContractAgent): Promise<ContractRun>
}
