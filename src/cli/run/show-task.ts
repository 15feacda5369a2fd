import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import type { ScopeReading } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import type { RunResult } from '../../runner/run/run-result.ts'
import { taskFiles } from '../../runner/tasks/task-files.ts'
import type { CommandContext } from '../command-context.ts'
import { type Field, formatFields } from '../output/field-list.ts'
import { statusText } from '../output/status-text.ts'
import { findTask } from './find-task.ts'
import { type ListedTask, listedTask } from './list-tasks.ts'
import { logFileOf, readResult, tasksFolder } from './task-folder.ts'
import { taskJson } from './task-json.ts'

/** A task with everything that is on disk of it. */
export interface ShownTask {
  readonly listed: ListedTask
  readonly folder: string
  /** `null` while it runs for the first time, or where its process died. */
  readonly result: RunResult | null
  readonly files: Readonly<Record<string, string>>
}

/** What is known of a task; `null` where the scope is no run of an agent. */
export function readTask(context: CommandContext, id: string, scope: ScopeReading | null): ShownTask | null {
  const task = findTask(context, id)
  if (task === null) return null
  const { folder, record } = task
  const { input, output, transcript, meta } = taskFiles(tasksFolder(context.config()), id)
  const files = Object.entries({ input, output, transcript, meta, log: logFileOf(folder) })
  return {
    listed: listedTask(record, scope, context.platform),
    folder,
    result: readResult(folder),
    files: Object.fromEntries(files.filter(([, file]) => existsSync(file))),
  }
}

/** The same for `--json`. */
export function shownTaskJson({ listed, folder, result, files }: ShownTask): object {
  const { model, attempts, breach, output, partialOutput, error, durationMs, usage, children } = result ?? NO_RESULT
  const { record } = listed
  const told = { output, partialOutput, breach, attempts, durationMs, usage, children, artifacts: { folder, ...files } }
  return { ...taskJson(listed, folder), model: model ?? record.model, error: error ?? record.error, ...told }
}

const NO_RESULT = {
  model: null,
  attempts: [],
  breach: null,
  output: null,
  partialOutput: null,
  error: null,
  durationMs: null,
  usage: null,
  children: [],
} as const

/** The sections that `stint show` has for a task. */
export function taskSections(context: CommandContext, { listed, folder, result, files }: ShownTask): readonly string[] {
  const { paint } = context
  const { record, isStale } = listed
  const section = (title: string, body: string): string => `${paint.bold(title)}\n${body}`
  const error = result?.error ?? record.error
  const names = Object.values(files)
    .map((file) => printable(basename(file)))
    .join(', ')
  const fields: readonly Field[] = [
    ['id', printable(record.id)],
    ['status', isStale ? paint.red('stale') : statusText(listed.status, paint)],
    ['agent', printable(record.agent ?? '–')],
    ['model', printable(result?.model ?? record.model ?? '–')],
    ...(record.workingFolder === null ? [] : [['working folder', printable(record.workingFolder)] as const]),
    ...(result?.attempts ?? []).map((attempt): Field => ['attempt', attemptText(attempt)]),
    ...(error === null ? [] : [['error', printable(error)] as const]),
    ...(isStale ? [['stale', `its process is dead. To go on: stint resume ${record.id}`] as const] : []),
    ['artifacts', printable(folder)],
    ...(names === '' ? [] : [['  files', names] as const]),
  ]
  const answer = result?.output ?? null
  const part = result?.partialOutput ?? null
  return [
    section('Task', formatFields(fields, context.width)),
    section('Asked', shown(record.task ?? record.subject)),
    ...(result?.breach && !error?.includes(result.breach.message)
      ? [section('Limit', printable(result.breach.message))]
      : []),
    ...(answer === null ? [] : [section('Output', shown(answer))]),
    ...(part === null ? [] : [section('Partial output', shown(part))]),
  ]
}

const MOST_LINES = 40

function shown(text: string): string {
  const lines = text.trimEnd().split('\n').map(printable)
  return lines.length > MOST_LINES
    ? [...lines.slice(0, MOST_LINES), `… ${lines.length - MOST_LINES} more lines`].join('\n')
    : lines.join('\n')
}

function attemptText({ model, status, error }: RunResult['attempts'][number]): string {
  return printable(`${model} ${status}${error === null ? '' : `: ${error}`}`)
}
