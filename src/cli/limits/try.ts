import { printable } from '../../core/checks/printable.ts'
import { displayAmount } from '../../core/index.ts'
import { noneTriedView, triedView } from '../../operate/advice/advice-view.ts'
import { assertTriable, type TriedLimits, tryLimits } from '../../operate/advice/try-limits.ts'
import { countText } from '../../operate/count-text.ts'
import { resolveLimits } from '../../policy/index.ts'
import type { CommandContext } from '../command-context.ts'
import { durationFromText } from '../flags/duration-from-text.ts'
import { limitsFromFlags } from '../flags/limits-from-flags.ts'
import type { Report } from '../output/report.ts'
import { shortIds } from '../output/short-id.ts'
import { formatTable } from '../output/table.ts'
import { noRunsText } from './no-runs-text.ts'

export interface TryFlags {
  readonly limit: readonly string[]
  readonly since: string
}

const RUNS_SHOWN = 20

/** `stint limits try AGENT --limit turns=12`: what these limits would have done to past runs. */
export async function showTried(context: CommandContext, agent: string, flags: TryFlags): Promise<Report> {
  const { limits } = resolveLimits([limitsFromFlags(flags.limit)])
  assertTriable(limits, '--limit')
  const sinceMs = context.platform.nowMs() - durationFromText('--since', flags.since, 'how long ago, e.g. 30d')
  const tried = await tryLimits(await context.operator(), { agent, limits, sinceMs: Math.max(0, sinceMs) })
  if (tried === null) return { json: noneTriedView(agent), text: noRunsText(agent, flags.since) }
  return { json: () => triedView(tried), text: () => textOf(tried, context) }
}

function textOf(tried: TriedLimits, { width }: CommandContext): string {
  const { cut, lost, unknown, runs, done, savedNanoUsd, costNanoUsd } = tried
  const saved = `${displayAmount('cost', savedNanoUsd)} of ${displayAmount('cost', costNanoUsd)}`
  const summary = [
    `${cut.length} of ${countText(runs, 'run')} would have been cut, ${lost} of them among the ${done} that finished their work.`,
    `That would have saved ${saved}${cut.some(({ isEstimated }) => isEstimated) ? ', in part estimated' : ''}.`,
    ...(unknown === 0
      ? []
      : [`${countText(unknown, 'run')} had been cut before by other limits: what they would have needed is unknown.`]),
  ]
  if (cut.length === 0) return summary.join('\n')
  const idOf = shortIds(cut.map(({ run }) => run.scope))
  const rows = cut
    .slice(0, RUNS_SHOWN)
    .map(({ run, meter, savedNanoUsd: one }) => [
      printable(idOf(run.scope)),
      run.scope.status,
      meter,
      displayAmount('cost', run.scope.totals.cost.settled),
      displayAmount('cost', one),
    ])
  const columns = [{ heading: 'RUN', shrinksTo: 12 }, 'ENDED', 'CUT BY', 'COST', 'SAVED'] as const
  const hidden = cut.length - rows.length
  const more = hidden === 0 ? [] : [`… and ${hidden} more: --json has all`]
  return [...summary, '', formatTable(columns, rows, width), ...more].join('\n')
}
