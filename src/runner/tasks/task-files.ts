import { join } from 'node:path'
import { InvalidOptionError } from '../../core/index.ts'

/** The files of one task. */
export interface TaskFiles {
  readonly folder: string
  /** The task record. */
  readonly task: string
  /** What is needed to resume it: the agent as it was, and the request. */
  readonly request: string
  readonly input: string
  readonly output: string
  readonly transcript: string
  readonly meta: string
  /** Tool output that was too long to show. */
  readonly artifacts: string
}

/** The files of a task. Throws for an invalid id. */
export function taskFiles(taskFolder: string, id: string): TaskFiles {
  assertTaskId(id)
  const folder = join(taskFolder, id)
  const within = (name: string): string => join(folder, name)
  return {
    folder,
    task: within('task.json'),
    request: within('request.json'),
    input: within('input.md'),
    output: within('output.md'),
    transcript: within('transcript.jsonl'),
    meta: within('meta.json'),
    artifacts: within('artifacts'),
  }
}

const LONGEST_ID = 128
const FORM = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

/** Whether `id` is safe as the name of a folder: no path traversal, no look-alikes. */
export function isTaskId(id: unknown): id is string {
  return typeof id === 'string' && id.length <= LONGEST_ID && FORM.test(id) && !id.includes('..')
}

/** Throws unless it is a valid task id. */
export function assertTaskId(id: unknown): asserts id is string {
  if (isTaskId(id)) return
  const form = `a task's id: 1 to ${LONGEST_ID} letters, digits, "-", "_" and single dots, beginning with a letter or digit`
  throw new InvalidOptionError('The id', id, form)
}
