import { messageOf } from '../../core/checks/thrown.ts'
import { assertKnownOptions, InvalidOptionError, isLimitExceeded, optionNames } from '../../core/index.ts'
import type { AcceptanceResult } from '../acceptance/acceptance-result.ts'
import { isRunResult, type RunResult } from '../run/end/run-result.ts'
import type { RunOptions } from '../run/run-request.ts'
import type { Runner } from '../run/runner.ts'
import { readSmallFile } from './read-small-file.ts'
import type { TaskCall, TaskCreateCall, TaskUpdateCall } from './task-calls.ts'
import { subjectFrom, type TaskRecord } from './task-record.ts'
import { requestOf, type TasksOptions, taskOf } from './task-request.ts'
import type { TaskStore } from './task-store.ts'
import { type TaskView, taskView } from './task-view.ts'
import { UnknownTaskError } from './unknown-task-error.ts'

/** Tasks with the names and shapes that agents and orchestrators know. */
export interface Tasks {
  /** Creates a task and returns its id. */
  TaskCreate(call: TaskCreateCall): Promise<string>
  /** Runs an agent and returns the result; in the background, returns when it has started. */
  Task(call: TaskCall): Promise<TaskView>
  /** Throws `UnknownTaskError`. */
  TaskGet(task: string | { readonly taskId: string }): Promise<TaskView>
  /** Changes a task. Setting a paused one to `in_progress` resumes it, exactly once, and returns when it has started. */
  TaskUpdate(call: TaskUpdateCall): Promise<TaskView>
  /** Waits until a task of this process has ended or is paused. */
  wait(taskId: string): Promise<TaskView>
}

const OPTIONS = optionNames<TasksOptions>({
  workingFolder: true,
  layers: true,
  within: true,
  team: true,
  user: true,
})
const TASK_CREATE = optionNames<TaskCreateCall>({ subject: true, description: true })
const TASK = optionNames<TaskCall>({
  subagent_type: true,
  prompt: true,
  model: true,
  description: true,
  allowed_tools: true,
  execution_limits: true,
  timeoutMs: true,
  maxRuntimeMs: true,
  acceptance: true,
  run_in_background: true,
  taskId: true,
})
const TASK_GET = optionNames<{ readonly taskId: string }>({ taskId: true })
const TASK_UPDATE = optionNames<TaskUpdateCall>({
  taskId: true,
  status: true,
  subject: true,
  description: true,
  add: true,
})

export function createTasks(runner: Runner, options: TasksOptions): Tasks {
  assertKnownOptions('createTasks', options, OPTIONS)
  const { tasks } = runner
  const underway = new Map<string, Promise<unknown>>()
  // Created here and not started.
  const waiting = new Set<string>()

  /** Tracks a run of this process. A failure is in its record, and doesn't reject `wait`. */
  function keep(id: string, run: Promise<RunResult>): void {
    const kept = Promise.allSettled([underway.get(id), run]).then(() => {
      if (underway.get(id) === kept) underway.delete(id)
    })
    underway.set(id, kept)
  }

  async function view(id: string): Promise<TaskView> {
    const record = await runner.look(id)
    if (record === null) throw new UnknownTaskError(id)
    return taskView(record, outputOf(runner, record), acceptanceOf(runner, record))
  }

  /** Resolves when the run has started, rejects if it can't. */
  function begin(id: string, start: (onBegun: () => void) => Promise<RunResult>): Promise<void> {
    return new Promise((resolve, reject) => {
      const run = start(() => resolve())
      run.then(() => resolve(), reject)
      keep(id, run)
    })
  }

  return {
    async TaskCreate(call) {
      assertKnownOptions('TaskCreate', call, TASK_CREATE)
      const { subject, description } = call
      if (typeof subject !== 'string' || subject.trim() === '') {
        throw new InvalidOptionError('TaskCreate({ subject })', subject, 'text that says what to do')
      }
      const { id } = tasks.create({ subject, description: description ?? null })
      waiting.add(id)
      return id
    },

    async Task(call) {
      assertKnownOptions('Task', call, TASK)
      const request = requestOf(runner, options, call)
      const draft = {
        subject: call.description ?? subjectFrom(String(call.prompt)),
        description: call.description ?? null,
      }
      const id = taskOf(runner, call, waiting) ?? tasks.create(draft).id
      waiting.delete(id)
      const run = (onBegun: () => void): Promise<RunResult> => {
        const onProgress: RunOptions['onProgress'] = ({ kind }) => kind === 'started' && onBegun()
        return runner.run({ ...request, id }, { onProgress }).catch((error: unknown) => fail(tasks, id, error))
      }
      await (call.run_in_background === true ? begin(id, run) : run(() => {})).catch(unlessLimit)
      return view(id)
    },

    async TaskGet(task) {
      if (typeof task === 'string') return view(task)
      assertKnownOptions('TaskGet', task, TASK_GET)
      return view(task.taskId)
    },

    async TaskUpdate(call) {
      assertKnownOptions('TaskUpdate', call, TASK_UPDATE)
      const { taskId, status, subject, description, add } = call
      const record = await runner.look(taskId)
      if (record === null) throw new UnknownTaskError(taskId)
      const texts = {
        ...(subject === undefined ? {} : { subject }),
        ...(description === undefined ? {} : { description }),
      }
      if (record.status === 'paused' && status === 'in_progress') {
        const more = add === undefined ? {} : { add }
        await begin(taskId, (onBegun) => {
          const onProgress: RunOptions['onProgress'] = ({ kind }) => kind === 'started' && onBegun()
          return runner.resume(taskId, { ...more, onProgress })
        })
        if (Object.keys(texts).length > 0) tasks.update(taskId, texts)
        return view(taskId)
      }
      refuseUnlessFree(record, call)
      tasks.update(taskId, { ...texts, ...(status === undefined ? {} : statusChange(record, status)) })
      return view(taskId)
    },

    async wait(taskId) {
      await underway.get(taskId)
      return view(taskId)
    },
  }
}

/** A run that could not start has failed as well. */
function fail(tasks: TaskStore, id: string, error: unknown): never {
  const message = messageOf(error)
  const end = { status: 'failed', runStatus: 'failed', error: message, endedAtMs: Date.now() } as const
  if (tasks.get(id)?.status === 'pending') tasks.update(id, end)
  throw error
}

/** A refusal by a budget is an ordinary end, which is in the record. */
function unlessLimit(error: unknown): void {
  if (!isLimitExceeded(error)) throw error
}

/** The status of a task that an agent works on is changed only by its run. */
function refuseUnlessFree({ id, agent, status }: TaskRecord, call: TaskUpdateCall): void {
  if (call.status === undefined || call.status === status || agent === null) return
  const form =
    status === 'paused' ? '"in_progress", which resumes it' : `unset: the run of "${id}" has set it to ${status}`
  throw new InvalidOptionError('TaskUpdate({ status })', call.status, form)
}

function statusChange({ startedAtMs }: TaskRecord, status: TaskRecord['status']): Partial<TaskRecord> {
  if (status === 'pending') return { status, runStatus: 'queued' }
  if (status === 'in_progress') return { status, runStatus: 'running', startedAtMs: startedAtMs ?? Date.now() }
  if (status === 'paused') return { status, runStatus: 'paused' }
  return { status, runStatus: status, endedAtMs: Date.now() }
}

/** From the result of the run, once there is one. */
function acceptanceOf({ tasks }: Runner, { id, status }: TaskRecord): AcceptanceResult | null {
  if (status === 'pending' || status === 'in_progress') return null
  try {
    const result: unknown = JSON.parse(readSmallFile(`${tasks.folderOf(id)}/meta.json`) ?? 'null')
    return isRunResult(result) ? (result.acceptance ?? null) : null
  } catch {
    return null
  }
}

function outputOf({ tasks }: Runner, { id, status }: TaskRecord): string | null {
  if (status === 'pending' || status === 'in_progress') return null
  return readSmallFile(`${tasks.folderOf(id)}/output.md`)?.trimEnd() ?? null
}
