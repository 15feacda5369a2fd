import { InvalidOptionError } from '../../core/index.ts'
import { assertCallerNamed } from '../../governor/edge.ts'
import type { Scope } from '../../governor/index.ts'
import { type ExecutionLimits, type LayerInput, type ParsedLimits, parseExecutionLimits } from '../../policy/index.ts'
import { resolveAcceptance } from '../acceptance/resolve-acceptance.ts'
import { sharedLimits, timeoutLayer } from '../run/limit-layers.ts'
import type { RunRequest } from '../run/run-request.ts'
import type { Runner } from '../run/runner.ts'
import type { TaskCall } from './task-calls.ts'
import { isTaskId } from './task-files.ts'
import { UnknownTaskError } from './unknown-task-error.ts'

/** What the tasks of one caller share. */
export interface TasksOptions {
  readonly workingFolder: string
  /** Limits of the config and the environment, weaker than those of a call. */
  readonly layers?: readonly LayerInput[]
  /** The scope that pays. */
  readonly within?: Scope
  /** The caller's team and user: the budgets `team:NAME` and `user:NAME` pay too. */
  readonly team?: string
  readonly user?: string
}

/** The run for a call of `Task`. */
export function requestOf(
  runner: Runner,
  { workingFolder, layers = [], within, team, user }: TasksOptions,
  call: TaskCall,
): RunRequest {
  const { subagent_type, prompt, model, allowed_tools, description, execution_limits } = call
  const { timeoutMs, maxRuntimeMs, acceptance } = call
  const published = publishedOf(execution_limits)
  const request: RunRequest = {
    agent: runner.agent(subagent_type, workingFolder),
    task: prompt,
    workingFolder,
    layers: published === null ? layers : [...layers, published.defaults, published.limits],
    sharedLimits: { team: listOf(published?.team), user: listOf(published?.user) },
    ...(model === undefined ? {} : { model }),
    ...(allowed_tools === undefined ? {} : { allowedTools: allowed_tools }),
    ...(description === undefined ? {} : { description }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxRuntimeMs === undefined ? {} : { maxRuntimeMs }),
    ...(acceptance === undefined ? {} : { acceptance }),
    ...(within === undefined ? {} : { within }),
    ...(team === undefined ? {} : { team }),
    ...(user === undefined ? {} : { user }),
  }
  resolveAcceptance(request)
  timeoutLayer(request, 'Task')
  // Before the task is created.
  assertCallerNamed({ ...request, sharedLimits: sharedLimits(request) })
  return request
}

/** The run's own limits, and those of its shared budgets. */
function publishedOf(object: TaskCall['execution_limits']): ExecutionLimits | null {
  if (object === undefined) return null
  return parseExecutionLimits(object, { layer: 'call', call: 'Task', field: 'execution_limits' })
}

function listOf(limits: ParsedLimits | null | undefined): readonly ParsedLimits[] {
  return limits === null || limits === undefined ? [] : [limits]
}

const NAMED = /\btask id:?\s*#?([A-Za-z0-9][\w.-]*\w|\w)/i

/** The task of a call: the one that it names, or the only one that was created here and not started. */
export function taskOf({ tasks }: Runner, { taskId, prompt }: TaskCall, waiting: ReadonlySet<string>): string | null {
  if (taskId !== undefined) {
    const record = tasks.get(taskId)
    if (record === null) throw new UnknownTaskError(taskId)
    if (record.agent === null) return taskId
    throw new InvalidOptionError('Task({ taskId })', taskId, 'a task without an agent')
  }
  const [, named] = NAMED.exec(prompt) ?? []
  if (isTaskId(named) && tasks.get(named)?.agent === null) return named
  const [only, ...others] = waiting
  return only !== undefined && others.length === 0 ? only : null
}
