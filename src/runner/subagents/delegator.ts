import type { FoundAgents } from '../../agents/index.ts'
import type { Scope } from '../../governor/index.ts'
import type { SavedRun } from '../run/record/saved-run.ts'
import type { RunLog } from '../run/run-log.ts'
import type { RunnerContext } from '../run/runner.ts'
import type { Spawner } from './spawner.ts'

/** The run whose agent starts other agents. */
export interface Delegator {
  readonly context: RunnerContext
  readonly spawner: Spawner
  readonly saved: SavedRun
  readonly scope: Scope
  readonly log: RunLog
  /** The agents as they were when the run began: editing their files has no effect. */
  readonly found: FoundAgents
}
