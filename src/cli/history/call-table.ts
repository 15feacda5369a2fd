import { printable } from '../../core/checks/printable.ts'
import { displayAmount, type HistoryEntry, type ReservationReading } from '../../core/index.ts'
import { countText } from '../../operate/count-text.ts'
import { formatTable } from '../output/table.ts'
import { whenText } from '../output/when.ts'
import { attemptText } from './attempt-text.ts'

// More than anyone reads here; `stint log ID` has all.
const MOST_SHOWN = 20

const COLUMNS = [
  'WHEN',
  { heading: 'CALL', shrinksTo: 12 },
  { heading: 'TOKENS', dropOrder: 2 },
  'COST',
  { heading: 'TOOK', dropOrder: 1 },
  'END',
] as const

/** The last calls, one line each. */
export function callTable(
  { calls, hasMoreCalls }: { readonly calls: readonly HistoryEntry[]; readonly hasMoreCalls: boolean },
  { nowMs, width }: { readonly nowMs: number; readonly width: number },
): string {
  const shown = calls.slice(-MOST_SHOWN)
  const table = formatTable(
    COLUMNS,
    shown.map((entry) => rowOf(entry, nowMs)),
    width,
  )
  const hidden = calls.length - shown.length
  if (hidden === 0) return table
  const more = hasMoreCalls ? `more than ${countText(hidden, 'call')}` : countText(hidden, 'call')
  return `${table}\n… and ${more} before: stint log`
}

function rowOf({ event, call }: HistoryEntry, nowMs: number): readonly string[] {
  const atMs = Date.parse(event.ts)
  if (call === null || (event.event !== 'call_settled' && event.event !== 'reservation_assumed')) {
    return [whenText(atMs, nowMs), event.event]
  }
  const { charged } = event
  const took = call.endedAtMs === null ? '' : displayAmount('time', Math.max(0, call.endedAtMs - call.atMs))
  const cost = charged.cost === undefined ? '' : displayAmount('cost', charged.cost)
  return [whenText(atMs, nowMs), nameOf(call), tokensOf(call, charged.tokens), cost, took, endOf(event.event, call)]
}

function nameOf({ about, id }: ReservationReading): string {
  if (about === null) return printable(id)
  return printable(`${about.name ?? about.call}${attemptText(about)}`)
}

/** `1,204 in, 90 out`; the sum if the provider did not report both. */
function tokensOf({ result }: ReservationReading, tokens: number | undefined): string {
  const usage = result?.usage
  if (usage === undefined) return tokens === undefined || tokens === 0 ? '' : displayAmount('tokens', tokens)
  const { inputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0, cacheWrite1hTokens = 0, outputTokens = 0 } = usage
  const input = inputTokens + cacheReadTokens + cacheWriteTokens + cacheWrite1hTokens
  return `${displayAmount('tokens', input)} in, ${displayAmount('tokens', outputTokens)} out`
}

function endOf(event: string, { result, about, units }: ReservationReading): string {
  if (event === 'reservation_assumed') return 'assumed'
  const ending = result?.ending ?? 'settled'
  const isClamped = about?.outputTokens !== undefined && units > 0 && units < about.outputTokens
  return isClamped && ending === 'answered' ? `answered, cap ${displayAmount('outputTokens', units)}` : ending
}
