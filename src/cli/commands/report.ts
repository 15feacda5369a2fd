import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isOneOf } from '../../core/checks/is-one-of.ts'
import { printable } from '../../core/checks/printable.ts'
import { codeOf, messageOf } from '../../core/checks/thrown.ts'
import { COST_PARTS, displayAmount, InvalidOptionError } from '../../core/index.ts'
import { COST_LABELS } from '../../operate/reports/cost-labels.ts'
import { shareText } from '../../operate/reports/html/markup.ts'
import { reportPage } from '../../operate/reports/html/report-page.ts'
import { SPEND_GROUPS } from '../../operate/reports/spend-group.ts'
import { costOf, type SpendReport, spendReport } from '../../operate/reports/spend-report.ts'
import { spendView } from '../../operate/reports/spend-view.ts'
import type { CommandContext } from '../command-context.ts'
import { durationFromText } from '../flags/duration-from-text.ts'
import { csvFrom } from '../history/csv.ts'
import type { Report } from '../output/report.ts'
import { formatTable } from '../output/table.ts'

export interface ReportFlags {
  readonly by: string
  readonly since: string
  readonly timeZone?: string
  readonly csv?: boolean
  readonly html?: string
  readonly force?: boolean
}

// A screen; JSON and CSV have all.
const MOST_SHOWN = 50

/** `stint report`: where the money went. */
export async function showReport(context: CommandContext, flags: ReportFlags): Promise<Report> {
  const { by, since, timeZone, csv: isCsv = false, html, force = false } = flags
  const { platform, isJson, width } = context
  if (!isOneOf(by, SPEND_GROUPS)) throw new InvalidOptionError('--by', by, `one of ${SPEND_GROUPS.join(', ')}`)
  if (isCsv && isJson) throw new InvalidOptionError('--csv', '--json', 'one of the two')
  const untilMs = platform.nowMs() + 1
  const sinceMs = Math.max(0, untilMs - durationFromText('--since', since, 'how long ago, e.g. 1d or 12h'))
  const zone = timeZone === undefined ? {} : { timeZone }
  const report = await spendReport(await context.operator(), { by, sinceMs, untilMs, ...zone })
  const notices: string[] = []
  if (html !== undefined) {
    const file = writePage(resolve(platform.workingFolder, html), reportPage(report), force)
    notices.push(`Wrote ${file}.`)
  }
  if (costOf(report.total) === Number.MAX_SAFE_INTEGER) {
    notices.push('The cost is at least what is shown: larger sums cannot be counted exactly.')
  }
  return {
    json: () => spendView(report),
    text: () => (isCsv ? csvText(report) : textOf(report, since, width)),
    notices,
  }
}

function writePage(file: string, page: string, force: boolean): string {
  try {
    writeFileSync(file, page, { flag: force ? 'w' : 'wx' })
    return file
  } catch (error) {
    if (codeOf(error) === 'EEXIST')
      throw new InvalidOptionError('--html', file, 'a new file, or with --force one to replace')
    throw new InvalidOptionError('--html', file, `a file that can be written (${messageOf(error)})`)
  }
}

function textOf(report: SpendReport, since: string, width: number): string {
  const { by, rows, total } = report
  if (rows.length === 0)
    return by === 'tool' ? `No tool was called in the last ${since}.` : `Nothing was called in the last ${since}.`
  const cost = costOf(total)
  const columns = [
    { heading: by.toUpperCase(), shrinksTo: 12 },
    'CALLS',
    { heading: 'TOKENS', dropOrder: 2 },
    { heading: 'CACHED', dropOrder: 3 },
    { heading: 'OUTPUT', dropOrder: 4 },
    'COST',
    { heading: 'SHARE', dropOrder: 1 },
  ] as const
  const shown = rows.slice(0, MOST_SHOWN)
  const lines = shown.map(({ key, ...spend }) => [
    printable(key),
    spend.calls.toLocaleString('en-US'),
    displayAmount('tokens', spend.amounts.tokens ?? 0),
    displayAmount('tokens', Math.max(0, (spend.amounts.tokens ?? 0) - (spend.amounts.uncachedTokens ?? 0))),
    displayAmount('tokens', spend.amounts.outputTokens ?? 0),
    displayAmount('cost', costOf(spend)),
    shareText(costOf(spend), cost),
  ])
  const hidden = rows.length - shown.length
  const others = hidden === 0 ? [] : [`… and ${hidden.toLocaleString('en-US')} more: --csv has all`]
  const sum = `Total: ${displayAmount('cost', cost)} for ${total.calls.toLocaleString('en-US')} calls`
  return [formatTable(columns, lines, width), ...others, '', sum, ...partLines(report)].join('\n')
}

const BAR = 24

function partLines({ total }: SpendReport): readonly string[] {
  const cost = costOf(total)
  const parts = COST_PARTS.flatMap((part) => {
    const amount = total.costs[part] ?? 0
    if (amount === 0) return []
    const bar = '█'.repeat(Math.max(1, Math.round((BAR * amount) / cost)))
    return [[COST_LABELS[part], displayAmount('cost', amount), shareText(amount, cost), bar]]
  })
  return parts.length === 0 ? [] : [formatTable([], parts)]
}

const CSV_COLUMNS = ['calls', 'cost_nano_usd', 'tokens', 'uncached_tokens', 'output_tokens', 'tool_calls'] as const

function csvText({ by, rows }: SpendReport): string {
  const parts = COST_PARTS.map((part) => `${part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_nano_usd`)
  const lines = rows.map(({ key, calls, amounts, costs }) => {
    const { cost = 0, tokens = 0, uncachedTokens = 0, outputTokens = 0, toolCalls = 0 } = amounts
    const counts = [calls, cost, tokens, uncachedTokens, outputTokens, toolCalls]
    return [key, ...counts, ...COST_PARTS.map((part) => costs[part] ?? 0)]
  })
  return csvFrom([by, ...CSV_COLUMNS, ...parts], lines)
}
