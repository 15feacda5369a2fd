import { agentNamed } from '../../agents/index.ts'
import { createTaskShelf } from '../tasks/create-task-shelf.ts'
import { lookAtTask } from './look-at-task.ts'
import { resumeRun } from './resume-run.ts'
import type { Runner, RunnerOptions } from './runner.ts'
import { startRun } from './start-run.ts'

/** Runs agents under a governor, each as a task in a folder of its own. */
export function createRunner(options: RunnerOptions): Runner {
  const tasks = createTaskShelf(options.taskFolder)
  const context = { ...options, tasks }
  return {
    tasks,
    run: (request, runOptions = {}) => startRun(context, request, runOptions),
    resume: (id, resumeOptions = {}) => resumeRun(context, id, resumeOptions),
    agent: (name, workingFolder) => agentNamed(options.findAgents(workingFolder), name),
    look: (id) => lookAtTask(context, id),
  }
}
