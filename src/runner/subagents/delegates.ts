import type { ToolSet } from 'ai'
import type { ToolDeclaration } from '../../adapters/ai-sdk/index.ts'
import type { ChildResult } from '../run/end/run-result.ts'
import type { StartedBefore } from './started-before.ts'

/** The tools with which an agent starts other agents and hands in a result. */
export interface Delegates {
  readonly tools: ToolSet
  readonly declarations: Readonly<Record<string, ToolDeclaration>>
  /** What was handed in since the last call; `null` if nothing was. */
  takeSubmission(): string | null
  /** Takes over what earlier calls have started. Background agents continue, unless the work is done. */
  remember(started: readonly StartedBefore[], isDone: boolean): Promise<void>
  /** Ends background agents. */
  endBackground(): Promise<void>
  /** Ends background agents, unless the run is only paused, and returns the results of everything. */
  finish(isPaused: boolean): Promise<readonly ChildResult[]>
}
