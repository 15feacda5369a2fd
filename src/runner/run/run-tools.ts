import type { Delegates } from '../subagents/delegates.ts'
import type { RunnerTools } from '../tools/create-tools.ts'

/** The tools of one run, with those to have others do something. */
export interface RunTools extends RunnerTools {
  readonly delegates: Delegates
}
