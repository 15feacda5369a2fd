import { isOneOf } from '../../core/checks/is-one-of.ts'
import { printable } from '../../core/checks/printable.ts'
import { displayAmount, InvalidOptionError } from '../../core/index.ts'
import { groupedSumView, groupSums, SUM_GROUPS } from '../../operate/history/group-sums.ts'
import type { CommandContext } from '../command-context.ts'
import { durationFromText } from '../flags/duration-from-text.ts'
import type { Report } from '../output/report.ts'
import { formatTable } from '../output/table.ts'
import { csvFrom } from './csv.ts'

const CSV_COLUMNS = ['calls', 'cost_nano_usd', 'tokens', 'output_tokens', 'tool_calls', 'model_calls'] as const

/** `stint history --sums day`: sums of calls, including those that were pruned. */
export async function showSums(
  context: CommandContext,
  { by, since, csv: isCsv = false }: { readonly by: string; readonly since?: string; readonly csv?: boolean },
): Promise<Report> {
  if (!isOneOf(by, SUM_GROUPS)) throw new InvalidOptionError('--sums', by, `one of ${SUM_GROUPS.join(', ')}`)
  const { platform, width } = context
  const asked = since ?? (by === 'hour' ? '1d' : '30d')
  const untilMs = platform.nowMs() + 1
  const sinceMs = Math.max(0, untilMs - durationFromText('--since', asked, 'how long ago, e.g. 1d or 12h'))
  const { store } = await context.operator()
  const sums = await store.sums({ sinceMs, untilMs })
  const groups = groupSums(sums, by)
  return {
    json: () => ({ by, sinceMs, sums: groups.map(groupedSumView) }),
    text: () => {
      if (isCsv) {
        const rows = groups.map(({ key, calls, amounts }) => {
          const { cost = 0, tokens = 0, outputTokens = 0, toolCalls = 0, modelCalls = 0 } = amounts
          return [key, calls, cost, tokens, outputTokens, toolCalls, modelCalls]
        })
        return csvFrom([by, ...CSV_COLUMNS], rows)
      }
      if (groups.length === 0) return `Nothing was called in the last ${asked}.`
      const columns = [{ heading: by.toUpperCase(), shrinksTo: 16 }, 'CALLS', 'TOKENS', 'COST'] as const
      const rows = groups.map(({ key, calls, amounts }) => [
        printable(key),
        calls.toLocaleString('en-US'),
        displayAmount('tokens', amounts.tokens ?? 0),
        displayAmount('cost', amounts.cost ?? 0),
      ])
      return formatTable(columns, rows, width)
    },
  }
}
