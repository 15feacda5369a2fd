import { InvalidOptionError } from '../../core/index.ts'
import type { Scope } from '../../governor/index.ts'
import { type LayerInput, parseExecutionLimits } from '../../policy/index.ts'
import type { RunRequest } from '../run/run-request.ts'
import type { Runner } from '../run/runner.ts'
import { isTaskId } from './assert-task-id.ts'
import type { TaskCall } from './task-calls.ts'
import { UnknownTaskError } from './unknown-task-error.ts'

/** What the tasks of one caller have in common. */
export interface TasksOptions {
  readonly workingFolder: string
  /** Limits of the config and the environment, below those of a call. */
  readonly layers?: readonly LayerInput[]
  /** The scope that pays. */
  readonly within?: Scope
}

/** The run that a call of `Task` asks for. */
export function requestOf(
  runner: Runner,
  { workingFolder, layers = [], within }: TasksOptions,
  call: TaskCall,
): RunRequest {
  const { subagent_type, prompt, model, allowed_tools, description, execution_limits } = call
  return {
    agent: runner.agent(subagent_type, workingFolder),
    task: prompt,
    workingFolder,
    layers: [...layers, ...publishedLayers(execution_limits)],
    ...(model === undefined ? {} : { model }),
    ...(allowed_tools === undefined ? {} : { allowedTools: allowed_tools }),
    ...(description === undefined ? {} : { description }),
    ...(within === undefined ? {} : { within }),
  }
}

function publishedLayers(object: TaskCall['execution_limits']): readonly LayerInput[] {
  if (object === undefined) return []
  const place = { layer: 'call', call: 'Task', field: 'execution_limits' } as const
  const { limits, defaults, team, user } = parseExecutionLimits(object, place)
  const [shared] = [team, user].flatMap((each) => each?.entries ?? [])
  if (shared === undefined) return [defaults, limits]
  const form =
    "a budget of its own: createTasks(runner, { within: await governor.budget('team:core', { limits: { cost: 100 } }) })"
  throw new InvalidOptionError(
    `Task({ execution_limits }).${shared.source.written}`,
    object[shared.source.written],
    form,
  )
}

const NAMED = /\btask id:?\s*#?([A-Za-z0-9][\w.-]*\w|\w)/i

/** The task that a call is about: the one that it names, or the only one that was made here and waits. */
export function taskOf({ tasks }: Runner, { taskId, prompt }: TaskCall, waiting: ReadonlySet<string>): string | null {
  if (taskId !== undefined) {
    const record = tasks.get(taskId)
    if (record === null) throw new UnknownTaskError(taskId)
    if (record.agent === null) return taskId
    throw new InvalidOptionError('Task({ taskId })', taskId, 'a task that no agent was given yet')
  }
  const [, named] = NAMED.exec(prompt) ?? []
  if (isTaskId(named) && tasks.get(named)?.agent === null) return named
  const [only, ...others] = waiting
  return only !== undefined && others.length === 0 ? only : null
}
