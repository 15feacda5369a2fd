import type { Delegates } from '../subagents/delegates.ts'
import type { RunnerTools } from '../tools/create-tools.ts'

/** The tools of one run, including those that start other agents. */
export interface RunTools extends RunnerTools {
  readonly delegates: Delegates
}
