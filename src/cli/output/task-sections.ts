import { basename } from 'node:path'
import { printable } from '../../core/checks/printable.ts'
import { countStatuses, displayAmount } from '../../core/index.ts'
import type { ShownTask } from '../../operate/tasks/read-task.ts'
import type { ChildResult, RunAttempt } from '../../runner/index.ts'
import type { CommandContext } from '../command-context.ts'
import { acceptanceText } from './acceptance-text.ts'
import { type Field, formatFields } from './field-list.ts'
import type { Paint } from './paint.ts'
import { statusText } from './status-text.ts'
import { formatTable } from './table.ts'

/** The sections that `stint show` has for a task. */
export function taskSections({ paint, width }: CommandContext, task: ShownTask): readonly string[] {
  const { record, isStale, folder, result, group, files } = task
  const section = (title: string, body: string): string => `${paint.bold(title)}\n${body}`
  const error = result?.error ?? record.error
  const names = Object.values(files)
    .map((file) => printable(basename(file)))
    .join(', ')
  const fields: readonly Field[] = [
    ['id', printable(record.id)],
    ['status', statusText(task, paint)],
    ['agent', printable(record.agent ?? '–')],
    ['model', printable(result?.model ?? record.model ?? '–')],
    ...(record.workingFolder === null ? [] : [['working folder', printable(record.workingFolder)] as const]),
    ...(result?.attempts ?? []).map((attempt): Field => ['attempt', attemptText(attempt)]),
    ...(result?.acceptance === undefined
      ? []
      : [['acceptance', printable(acceptanceText(result.acceptance))] as const]),
    ...(error === null ? [] : [['error', printable(error)] as const]),
    ...(isStale ? [['stale', `its process is dead. To continue: stint resume ${record.id}`] as const] : []),
    ['artifacts', printable(folder)],
    ...(names === '' ? [] : [['  files', names] as const]),
  ]
  // A result of an older version has no children.
  const children = group?.results ?? result?.children ?? []
  const answer = result?.output ?? null
  const part = result?.partialOutput ?? null
  return [
    section('Task', formatFields(fields, width)),
    section('Asked', shown(record.task ?? record.subject)),
    ...(children.length === 0 ? [] : [section(`Agents: ${countsOf(children)}`, agentTable(children, paint, width))]),
    ...(result?.breach && !error?.includes(result.breach.message)
      ? [section('Limit', printable(result.breach.message))]
      : []),
    ...(answer === null ? [] : [section('Output', shown(answer))]),
    ...(part === null ? [] : [section('Partial output', shown(part))]),
  ]
}

const AGENT_COLUMNS = [
  'ID',
  'AGENT',
  'STATUS',
  { heading: 'TOKENS', dropOrder: 1 },
  { heading: 'TASK', shrinksTo: 20 },
] as const

function countsOf(children: readonly ChildResult[]): string {
  return countStatuses(children.map(({ status }) => status))
}

function agentTable(children: readonly ChildResult[], paint: Paint, width: number): string {
  const rows = children.map(({ id, agent, status, usage, error, label, task }) => [
    printable(id),
    printable(agent),
    statusText({ status }, paint),
    usage === null ? '–' : displayAmount('tokens', usage.tokens.settled),
    printable((status === 'completed' ? (label ?? task) : (error ?? label ?? task)).trim().split('\n', 1)[0]!),
  ])
  return formatTable(AGENT_COLUMNS, rows, width)
}

const MOST_LINES = 40

function shown(text: string): string {
  const lines = text.trimEnd().split('\n').map(printable)
  return lines.length > MOST_LINES
    ? [...lines.slice(0, MOST_LINES), `… ${lines.length - MOST_LINES} more lines`].join('\n')
    : lines.join('\n')
}

function attemptText({ model, status, error }: RunAttempt): string {
  return printable(`${model} ${status}${error === null ? '' : `: ${error}`}`)
}
