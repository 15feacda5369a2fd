import { assertKnownOptions, InvalidOptionError, isLimitExceeded, optionNames } from '../../core/index.ts'
import type { RunOptions } from '../run/run-request.ts'
import type { RunResult } from '../run/run-result.ts'
import type { Runner } from '../run/runner.ts'
import { readSmallFile } from './read-small-file.ts'
import { subjectFrom } from './subject-from.ts'
import type { TaskCall, TaskCreateCall, TaskUpdateCall } from './task-calls.ts'
import type { TaskRecord } from './task-record.ts'
import { requestOf, type TasksOptions, taskOf } from './task-request.ts'
import type { TaskShelf } from './task-shelf.ts'
import { type TaskView, taskView } from './task-view.ts'
import { UnknownTaskError } from './unknown-task-error.ts'

/** Tasks with the names and shapes under which agents and orchestrators know them. */
export interface Tasks {
  /** Puts a task on the list, and returns its id. */
  TaskCreate(call: TaskCreateCall): Promise<string>
  /** Has an agent do something, and returns what became of it; in the background, that it was begun. */
  Task(call: TaskCall): Promise<TaskView>
  /** Throws `UnknownTaskError`. */
  TaskGet(task: string | { readonly taskId: string }): Promise<TaskView>
  /** Changes a task. Setting a paused one to `in_progress` lets it go on, exactly once, and returns when it does. */
  TaskUpdate(call: TaskUpdateCall): Promise<TaskView>
  /** Waits until a task that goes on in this process has come to its end, or stands. */
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
  // Made here and not begun.
  const waiting = new Set<string>()

  /** What goes on here. That it failed is in its record; whoever waits for it is not thrown at. */
  function keep(id: string, run: Promise<RunResult>): void {
    const kept = Promise.allSettled([underway.get(id), run]).then(() => {
      if (underway.get(id) === kept) underway.delete(id)
    })
    underway.set(id, kept)
  }

  async function view(id: string): Promise<TaskView> {
    const record = await runner.look(id)
    if (record === null) throw new UnknownTaskError(id)
    return taskView(record, outputOf(runner, record))
  }

  /** Runs until something is known: that it has begun, or that it cannot. */
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
        throw new InvalidOptionError('TaskCreate({ subject })', subject, 'text that says what is to be done')
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

/** What could not even begin has failed, too. */
function fail(tasks: TaskShelf, id: string, error: unknown): never {
  const message = error instanceof Error ? error.message : String(error)
  const end = { status: 'failed', runStatus: 'failed', error: message, endedAtMs: Date.now() } as const
  if (tasks.get(id)?.status === 'pending') tasks.update(id, end)
  throw error
}

/** A budget that does not allow it is an end like others: it is in the record. */
function unlessLimit(error: unknown): void {
  if (!isLimitExceeded(error)) throw error
}

/** A task that an agent has is changed by its run alone. */
function refuseUnlessFree({ id, agent, status }: TaskRecord, call: TaskUpdateCall): void {
  if (call.status === undefined || call.status === status || agent === null) return
  const form =
    status === 'paused' ? '"in_progress", which lets it go on' : `left alone: "${id}" is ${status} by its own run`
  throw new InvalidOptionError('TaskUpdate({ status })', call.status, form)
}

function statusChange({ startedAtMs }: TaskRecord, status: TaskRecord['status']): Partial<TaskRecord> {
  if (status === 'pending') return { status, runStatus: 'queued' }
  if (status === 'in_progress') return { status, runStatus: 'running', startedAtMs: startedAtMs ?? Date.now() }
  if (status === 'paused') return { status, runStatus: 'paused' }
  return { status, runStatus: status, endedAtMs: Date.now() }
}

function outputOf({ tasks }: Runner, { id, status }: TaskRecord): string | null {
  if (status === 'pending' || status === 'in_progress') return null
  return readSmallFile(`${tasks.folderOf(id)}/output.md`)?.trimEnd() ?? null
}
