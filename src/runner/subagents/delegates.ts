import type { ToolSet } from 'ai'
import type { ToolDeclaration } from '../../adapters/ai-sdk/index.ts'
import type { ChildResult } from '../run/end/run-result.ts'
import type { StartedBefore } from './started-before.ts'

/** The tools with which an agent has others do something, and hands in a result. */
export interface Delegates {
  readonly tools: ToolSet
  readonly declarations: Readonly<Record<string, ToolDeclaration>>
  /** What was handed in since this was last asked; `null` if nothing was. */
  takeSubmission(): string | null
  /** Takes over what earlier calls have started, and continues what was not waited for unless the work is done. */
  remember(started: readonly StartedBefore[], isDone: boolean): Promise<void>
  /** Ends what was begun and not waited for. */
  endBackground(): Promise<void>
  /** Ends what was begun and not waited for, unless the run is only paused, and returns what became of everything. */
  finish(isPaused: boolean): Promise<readonly ChildResult[]>
}
