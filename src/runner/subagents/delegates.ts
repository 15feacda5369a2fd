import type { ToolSet } from 'ai'
import type { ToolDeclaration } from '../../adapters/ai-sdk/index.ts'
import type { ChildResult } from '../run/end/run-result.ts'

/** The tools with which an agent has others do something, and hands in a result. */
export interface Delegates {
  readonly tools: ToolSet
  readonly declarations: Readonly<Record<string, ToolDeclaration>>
  /** What was handed in since this was last asked; `null` if nothing was. */
  takeSubmission(): string | null
  /** Takes over what an earlier process of this run has started. */
  remember(ids: readonly string[]): void
  /** Ends what was begun and not waited for, unless the run is only paused, and returns what became of everything. */
  finish(isPaused: boolean): Promise<readonly ChildResult[]>
}
