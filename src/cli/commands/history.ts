import { printable } from '../../core/checks/printable.ts'
import { displayAmount, InvalidOptionError } from '../../core/index.ts'
import { type EndedRun, endedRuns, endedRunView } from '../../operate/history/ended-runs.ts'
import type { CommandContext } from '../command-context.ts'
import { durationFromText } from '../flags/duration-from-text.ts'
import { csvFrom } from '../history/csv.ts'
import { showSums } from '../history/history-sums.ts'
import type { Report } from '../output/report.ts'
import { shortIds } from '../output/short-id.ts'
import { statusText } from '../output/status-text.ts'
import { formatTable } from '../output/table.ts'
import { whatRan } from '../output/what-ran.ts'
import { whenText } from '../output/when.ts'

export interface HistoryFlags {
  readonly since?: string
  readonly csv?: boolean
  /** Sums instead of runs. */
  readonly sums?: string
}

// A screen or two; with --since, all of them.
const MOST_SHOWN = 50
const MOST = 100_000

const COLUMNS = [
  'ENDED',
  { heading: 'RUN', shrinksTo: 16 },
  { heading: 'ID', dropOrder: 2 },
  { heading: 'TOOK', dropOrder: 1 },
  'COST',
  'END',
] as const

/** `stint history`: the runs that have ended, whatever started them. */
export async function showHistory(context: CommandContext, flags: HistoryFlags): Promise<Report> {
  const { platform, paint, width, isJson } = context
  const { since, csv: isCsv = false } = flags
  if (isCsv && isJson) throw new InvalidOptionError('--csv', '--json', 'one of the two')
  if (flags.sums !== undefined) return showSums(context, { ...flags, by: flags.sums })
  const nowMs = platform.nowMs()
  const sinceMs = since === undefined ? 0 : nowMs - durationFromText('--since', since, 'how long ago, e.g. 1d or 12h')
  const most = since === undefined ? MOST_SHOWN : MOST
  const { runs, isTruncated } = await endedRuns(await context.operator(), { sinceMs, most })
  const more = isTruncated ? ['There are more runs: --since 30d shows all of the last 30 days.'] : []
  return {
    json: () => ({ runs: runs.map(endedRunView), isTruncated }),
    text: () => {
      if (isCsv) return csvText(runs)
      if (runs.length === 0) return since === undefined ? 'No run has ended yet.' : `No run ended in the last ${since}.`
      const idOf = shortIds(runs.map(({ scope }) => scope))
      const rows = runs.map(({ scope, endedAtMs, durationMs }) => [
        whenText(endedAtMs, nowMs),
        printable(whatRan(scope)),
        printable(idOf(scope)),
        displayAmount('time', durationMs),
        displayAmount('cost', scope.totals.cost.settled),
        statusText(scope, paint),
      ])
      return formatTable(COLUMNS, rows, width)
    },
    notices: more,
  }
}

const CSV_COLUMNS = [
  'ended_at',
  'started_at',
  'id',
  'path',
  'agent',
  'command',
  'task',
  'by',
  'folder',
  'status',
  'duration_ms',
  'cost_nano_usd',
  'tokens',
  'tool_calls',
  'model_calls',
] as const

function csvText(runs: readonly EndedRun[]): string {
  const rows = runs.map(({ scope, endedAtMs, durationMs }): readonly (string | number)[] => {
    const { id, path, labels, about, status, openedAtMs, totals, name } = scope
    return [
      new Date(endedAtMs).toISOString(),
      new Date(openedAtMs).toISOString(),
      id,
      path,
      labels.agentType ?? name,
      about?.command ?? '',
      about?.task ?? '',
      about?.by ?? '',
      about?.folder ?? '',
      status,
      durationMs,
      totals.cost.settled,
      totals.tokens.settled,
      totals.toolCalls.settled,
      totals.modelCalls.settled,
    ]
  })
  return csvFrom(CSV_COLUMNS, rows)
}
