import { agentNamed } from '../../agents/index.ts'
import { assertKnownOptions, optionNames } from '../../core/index.ts'
import type { ChainRequest, GroupOptions, GroupResumeOptions, ParallelRequest } from '../groups/group-request.ts'
import { onlyAdding } from '../groups/only-adding.ts'
import { parseChainRequest, parseParallel } from '../groups/parse-group.ts'
import { planRequest } from '../groups/plan/plan-request.ts'
import { recoverGroup } from '../groups/recover-group.ts'
import { resumeGroup } from '../groups/resume-group.ts'
import { startGroup } from '../groups/start-group.ts'
import type { Spawner } from '../subagents/spawner.ts'
import { createTaskStore } from '../tasks/create-task-store.ts'
import { lookAtTask } from './record/look-at-task.ts'
import { createRefusedStarts } from './refused-starts.ts'
import { resumeRun } from './resume-run.ts'
import type { RunOptions, RunRequest } from './run-request.ts'
import type { ResumeOptions, Runner, RunnerContext, RunnerOptions } from './runner.ts'
import { startRun } from './start-run.ts'

const OPTIONS = optionNames<RunnerOptions>({
  governor: true,
  models: true,
  taskFolder: true,
  worktreeFolder: true,
  env: true,
  findAgents: true,
  mcpServers: true,
  unusableMcpServers: true,
  protectedPaths: true,
  hiddenPaths: true,
  furtherKeys: true,
  openPlace: true,
  aboutRun: true,
  waitsForAnswer: true,
})
const REQUEST = optionNames<RunRequest>({
  agent: true,
  task: true,
  workingFolder: true,
  model: true,
  layers: true,
  askAbove: true,
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
  outputSchema: true,
  acceptance: true,
  conversation: true,
})
const RUN_OPTIONS = optionNames<RunOptions>({ signal: true, onProgress: true })
const RESUME_OPTIONS = optionNames<ResumeOptions>({ signal: true, onProgress: true, add: true, by: true })

const GROUP = {
  workingFolder: true,
  name: true,
  id: true,
  layers: true,
  askAbove: true,
  timeoutMs: true,
  maxRuntimeMs: true,
  concurrency: true,
  share: true,
  context: true,
  conversation: true,
  model: true,
  within: true,
  team: true,
  user: true,
  sharedLimits: true,
  description: true,
  wrapUp: true,
} as const
const PARALLEL = optionNames<ParallelRequest>({ ...GROUP, tasks: true, failFast: true, worktree: true })
const CHAIN = optionNames<ChainRequest>({ ...GROUP, chain: true, task: true })
const GROUP_OPTIONS = optionNames<GroupOptions>({ signal: true, onProgress: true })
const GROUP_RESUME_OPTIONS = optionNames<GroupResumeOptions>({ signal: true, onProgress: true, add: true, by: true })

/** Runs agents under a governor, each as a task with its own folder. */
export function createRunner(options: RunnerOptions): Runner {
  assertKnownOptions('createRunner', options, OPTIONS)
  const tasks = createTaskStore(options.taskFolder)
  const context: RunnerContext = { ...options, tasks, createSpawner, refusedStarts: createRefusedStarts() }
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
    async parallel(request, groupOptions = {}) {
      assertKnownOptions('runner.parallel', request, PARALLEL)
      assertKnownOptions('runner.parallel(request, options)', groupOptions, GROUP_OPTIONS)
      return startGroup(context, request, parseParallel(request), groupOptions)
    },
    async chain(request, groupOptions = {}) {
      assertKnownOptions('runner.chain', request, CHAIN)
      assertKnownOptions('runner.chain(request, options)', groupOptions, GROUP_OPTIONS)
      return startGroup(context, request, parseChainRequest(request), groupOptions)
    },
    async plan(request) {
      const isChain = 'chain' in request
      assertKnownOptions('runner.plan', request, isChain ? CHAIN : PARALLEL)
      return planRequest(context, request, isChain ? parseChainRequest(request) : parseParallel(request))
    },
    async resumeGroup(id, resumeOptions = {}) {
      assertKnownOptions('runner.resumeGroup', resumeOptions, GROUP_RESUME_OPTIONS)
      return resumeGroup(context, id, resumeOptions)
    },
    agent: (name, workingFolder) => agentNamed(options.findAgents(workingFolder), name),
    look: (id) => lookAtTask(context, id),
  }
}

/** For the tools of agents, whose orders were already checked. Anything started before is started again. */
function createSpawner(context: RunnerContext): Spawner {
  return {
    run: (request, options) => startRun(context, request, options),
    resume: (id, options) => resumeRun(context, id, options),
    parallel: (request, options) =>
      startGroup(context, request, onlyAdding(parseParallel(request)), { ...options, isRestart: true }),
    chain: (request, options) =>
      startGroup(context, request, onlyAdding(parseChainRequest(request)), { ...options, isRestart: true }),
    resumeGroup: (id, options) => resumeGroup(context, id, options),
    recoverGroup: (id) => recoverGroup(context, id),
  }
}
