import { displayAmount } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import { formatMaximum } from '../../policy/index.ts'
import type { CommandContext } from '../command-context.ts'
import { reasonOf, requestedLimit } from '../ledger/requested-limit.ts'
import { limitName } from '../output/amount-text.ts'
import type { Report } from '../output/report.ts'
import { requestJson } from '../output/scope-json.ts'
import { formatTable } from '../output/table.ts'
import { whenText } from '../output/when.ts'

const MOST_REQUESTS = 1000
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
  const nowMs = context.platform.nowMs()
  const store = await context.store()
  const requests = await store.requests({ ...(isAll ? {} : { status: 'open' }), most: MOST_REQUESTS })
  const json = { requests: requests.map(requestJson), isTruncated: requests.length >= MOST_REQUESTS }
  if (requests.length === 0) return { json, text: isAll ? 'Nobody has asked for more.' : 'Nobody asks for more.' }
  const rows: string[][] = []
  for (const request of requests) {
    const { id, scopePath, meter, settled, limit, asked, status, expiresAtMs } = request
    const used = `${displayAmount(meter, settled, 'up')} of ${formatMaximum(meter, limit)}`
    const expires = status === 'open' ? whenText(expiresAtMs, nowMs) : '–'
    // As it will be given: not rounded.
    const asks = formatMaximum(meter, asked)
    const limitAsked = await requestedLimit(store, request, nowMs)
    const why = printable(reasonOf(request, limitAsked))
    rows.push([printable(id), printable(scopePath), limitName(limitAsked), used, asks, status, expires, why])
  }
  return { json, text: formatTable(COLUMNS, rows, context.width) }
}
