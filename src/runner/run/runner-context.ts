import type { TaskShelf } from '../tasks/task-shelf.ts'
import type { RunnerOptions } from './runner.ts'

/** What every run of a runner is made with. */
export interface RunnerContext extends RunnerOptions {
  readonly tasks: TaskShelf
}
