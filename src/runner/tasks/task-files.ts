import { join } from 'node:path'
import { assertTaskId } from './assert-task-id.ts'

/** Where everything of one task is. */
export interface TaskFiles {
  readonly folder: string
  /** The record that is polled. */
  readonly task: string
  /** What is needed to go on: the agent as it was, and what was asked. */
  readonly request: string
  readonly input: string
  readonly output: string
  readonly transcript: string
  readonly meta: string
  /** What tools wrote that was too long to show. */
  readonly artifacts: string
}

/** The files of a task. Throws for what can be no id. */
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
