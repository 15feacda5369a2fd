import { printable } from '../../core/checks/printable.ts'
import { displayAmount, formatAmount, InvalidOptionError, METERS } from '../../core/index.ts'
import { adviceText } from '../../operate/advice/advice-text.ts'
import { adviceView } from '../../operate/advice/advice-view.ts'
import { type AgentAdvice, type LimitAdvice, suggestLimits } from '../../operate/advice/suggest-limits.ts'
import { isAdvised } from '../../operate/advice/try-limits.ts'
import type { CommandContext } from '../command-context.ts'
import { changeAgent, type WhoseFlag } from '../commands/agents.ts'
import { durationFromText } from '../flags/duration-from-text.ts'
import type { Report } from '../output/report.ts'
import { formatTable } from '../output/table.ts'
import { noRunsText } from './no-runs-text.ts'

export interface SuggestFlags extends WhoseFlag {
  readonly since: string
  readonly quantile?: string
  readonly write?: boolean
  readonly meter?: readonly string[]
}

// The limits that an agent has by default.
const WRITTEN_METERS = ['toolCalls', 'time', 'cost']
const AGENTS_SHOWN = 20

/** `stint limits suggest [AGENT]`: limits that most successful work would have kept within. */
export async function showSuggestions(
  context: CommandContext,
  agent: string | null,
  flags: SuggestFlags,
): Promise<Report> {
  const { since, quantile, write = false, meter: meters = WRITTEN_METERS } = flags
  const unknown = meters.find((meter) => !isAdvised(meter))
  if (unknown !== undefined)
    throw new InvalidOptionError('--meter', unknown, 'toolCalls, time, cost, modelCalls or tokens')
  if (write && agent === null) throw new InvalidOptionError('--write', true, 'used with the name of an agent')
  const sinceMs = context.platform.nowMs() - durationFromText('--since', since, 'how long ago, e.g. 30d')
  const share = quantile === undefined ? {} : { quantile: Number(quantile) }
  const advice = await suggestLimits(await context.operator(), { agent, sinceMs: Math.max(0, sinceMs), ...share })
  const shown = {
    json: () => ({ sinceMs, agents: advice.map(adviceView) }),
    text: () => textOf(advice, { agent, since }, context),
  }
  if (!write) return shown
  const set = (advice[0]?.limits ?? []).flatMap((limit) => {
    return limit.suggested === null || !meters.includes(limit.meter)
      ? []
      : [`limits.${limit.meter}=${writtenForm(limit)}`]
  })
  if (set.length === 0) return { ...shown, notices: ['Nothing was written: there is no suggestion.'], exitCode: 1 }
  const written = await changeAgent(context, agent!, { set, ...(flags.user === true ? { user: true } : {}) })
  const notice = typeof written.text === 'string' ? `${written.text} ${set.join(', ')}` : set.join(', ')
  return { ...shown, notices: [notice, ...(written.notices ?? [])] }
}

/** As it is written into a file: whole seconds, exact dollars, plain counts. */
function writtenForm({ meter, suggested }: LimitAdvice): string {
  const { unit } = METERS[meter]
  if (unit === 'milliseconds') return `${Math.ceil((suggested ?? 0) / 1000)}s`
  return unit === 'nanoUsd' ? formatAmount(meter, suggested ?? 0) : String(suggested)
}

const COLUMNS = [
  { heading: 'LIMIT', shrinksTo: 10 },
  { heading: 'NOW', dropOrder: 1 },
  'SUGGESTED',
  { heading: 'EVIDENCE', shrinksTo: 16 },
] as const

function textOf(
  advice: readonly AgentAdvice[],
  { agent, since }: { readonly agent: string | null; readonly since: string },
  { width }: CommandContext,
): string {
  if (advice.length === 0) return noRunsText(agent, since)
  const shown = advice.slice(0, AGENTS_SHOWN)
  const texts = shown.map(({ agent: name, quantile, done, cut, other, limits }) => {
    const rows = limits.map((limit) => [
      limit.meter,
      limit.current === null ? '' : displayAmount(limit.meter, limit.current),
      limit.suggested === null ? '–' : displayAmount(limit.meter, limit.suggested, 'up'),
      adviceText(limit),
    ])
    const counts = `${done} done, ${cut} cut by a limit${other === 0 ? '' : `, ${other} ended otherwise`}`
    const what = `for ${Math.round(quantile * 1000) / 10}% of its successful work`
    return `${printable(name)}: ${what} (${counts})\n${formatTable(COLUMNS, rows, width)}`
  })
  const hidden = advice.length - shown.length
  return [...texts, ...(hidden === 0 ? [] : [`… and ${hidden} more: --json has all`])].join('\n\n')
}
