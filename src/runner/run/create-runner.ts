import { agentNamed } from '../../agents/index.ts'
import { assertKnownOptions, optionNames } from '../../core/index.ts'
import { createTaskShelf } from '../tasks/create-task-shelf.ts'
import { lookAtTask } from './look-at-task.ts'
import { resumeRun } from './resume-run.ts'
import type { RunOptions, RunRequest } from './run-request.ts'
import type { ResumeOptions, Runner, RunnerOptions } from './runner.ts'
import { startRun } from './start-run.ts'

const OPTIONS = optionNames<RunnerOptions>({
  governor: true,
  models: true,
  taskFolder: true,
  env: true,
  findAgents: true,
  mcpServers: true,
  unusableMcpServers: true,
  protectedPaths: true,
  hiddenPaths: true,
  furtherKeys: true,
  openPlace: true,
})
const REQUEST = optionNames<RunRequest>({
  agent: true,
  task: true,
  workingFolder: true,
  model: true,
  layers: true,
  timeoutMs: true,
  maxRuntimeMs: true,
  allowedTools: true,
  reads: true,
  output: true,
  within: true,
  team: true,
  user: true,
  sharedLimits: true,
  id: true,
  words: true,
  description: true,
  name: true,
  wrapUp: true,
})
const RUN_OPTIONS = optionNames<RunOptions>({ signal: true, onProgress: true })
const RESUME_OPTIONS = optionNames<ResumeOptions>({ signal: true, onProgress: true, add: true, by: true })

/** Runs agents under a governor, each as a task in a folder of its own. */
export function createRunner(options: RunnerOptions): Runner {
  assertKnownOptions('createRunner', options, OPTIONS)
  const tasks = createTaskShelf(options.taskFolder)
  const context = { ...options, tasks }
  return {
    tasks,
    async run(request, runOptions = {}) {
      assertKnownOptions('runner.run', request, REQUEST)
      assertKnownOptions('runner.run(request, options)', runOptions, RUN_OPTIONS)
      return startRun(context, request, runOptions)
    },
    async resume(id, resumeOptions = {}) {
      assertKnownOptions('runner.resume', resumeOptions, RESUME_OPTIONS)
      return resumeRun(context, id, resumeOptions)
    },
    agent: (name, workingFolder) => agentNamed(options.findAgents(workingFolder), name),
    look: (id) => lookAtTask(context, id),
  }
}
