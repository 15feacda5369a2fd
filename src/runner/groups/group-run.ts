import type { Scope } from '../../governor/index.ts'
import type { RunLog } from '../run/run-log.ts'
import type { RunnerContext } from '../run/runner.ts'
import type { GroupFiles } from './group-files.ts'
import type { GroupProgress } from './group-progress.ts'
import type { SavedGroup } from './saved-group.ts'

/** A group in progress. */
export interface GroupRun {
  readonly context: RunnerContext
  readonly saved: SavedGroup
  readonly files: GroupFiles
  readonly scope: Scope
  readonly log: RunLog
  /** Whether it was started before, so that some of its agents may be finished. */
  readonly isResumed: boolean
  /** Aborted: nothing more is started, and running agents are stopped gracefully. */
  readonly signal: AbortSignal
  tell(progress: GroupProgress): void
}
