import { printable } from '../../core/checks/printable.ts'
import { displayAmount } from '../../core/index.ts'
import { type ListedRequest, listRequests, requestListView } from '../../operate/requests/list-requests.ts'
import { limitName } from '../../operate/views/limit-standing.ts'
import { formatMaximum } from '../../policy/index.ts'
import type { CommandContext } from '../command-context.ts'
import type { Report } from '../output/report.ts'
import { requestReason } from '../output/request-reason.ts'
import { formatTable } from '../output/table.ts'
import { whenText } from '../output/when.ts'

const COLUMNS = [
  'ID',
  { heading: 'SCOPE', shrinksTo: 10 },
  'LIMIT',
  'USED',
  'ASKED',
  { heading: 'STATUS', dropOrder: 2 },
  { heading: 'EXPIRES', dropOrder: 1 },
  { heading: 'REASON', shrinksTo: 20, dropOrder: 3 },
] as const

/** `stint requests`. */
export async function showRequests(context: CommandContext, isAll: boolean): Promise<Report> {
  const list = await listRequests(await context.operator(), isAll ? {} : { status: 'open' })
  const none = isAll ? 'No requests yet.' : 'No open requests.'
  const rows = (): string[][] => list.requests.map((each) => rowOf(each, context.platform.nowMs()))
  return {
    json: () => requestListView(list),
    text: () => (list.requests.length === 0 ? none : formatTable(COLUMNS, rows(), context.width)),
  }
}

function rowOf({ request, limit }: ListedRequest, nowMs: number): string[] {
  const { id, scopePath, meter, settled, limit: max, asked, status, expiresAtMs } = request
  const used = `${displayAmount(meter, settled, 'up')} of ${formatMaximum(meter, max)}`
  const expires = status === 'open' ? whenText(expiresAtMs, nowMs) : '–'
  // The exact amount, not rounded.
  const asks = formatMaximum(meter, asked)
  return [id, scopePath, limitName(limit), used, asks, status, expires, requestReason(request, limit)].map(printable)
}
