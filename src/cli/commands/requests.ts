import { formatAmount } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import type { CommandContext } from '../command-context.ts'
import { limitName } from '../output/amount-text.ts'
import type { Report } from '../output/report.ts'
import { requestJson } from '../output/scope-json.ts'
import { formatTable } from '../output/table.ts'
import { whenText } from '../output/when.ts'

const MOST_REQUESTS = 1000
const HEADINGS = ['ID', 'SCOPE', 'LIMIT', 'SETTLED', 'MAX', 'ASKED', 'STATUS', 'EXPIRES', 'REASON'] as const

/** `stint requests`. */
export async function showRequests(context: CommandContext, isAll: boolean): Promise<Report> {
  const nowMs = context.platform.nowMs()
  const store = await context.store()
  const requests = await store.requests({ ...(isAll ? {} : { status: 'open' }), most: MOST_REQUESTS })
  const json = { requests: requests.map(requestJson), isTruncated: requests.length >= MOST_REQUESTS }
  if (requests.length === 0) return { json, text: isAll ? 'Nobody has asked for more.' : 'Nobody asks for more.' }
  const rows = requests.map((request) => {
    const { id, scopePath, meter, settled, limit, asked, status, reason, expiresAtMs } = request
    const amounts = [settled, limit, asked].map((amount) => formatAmount(meter, amount))
    const expires = status === 'open' ? whenText(expiresAtMs, nowMs) : '–'
    return [printable(id), printable(scopePath), limitName(request), ...amounts, status, expires, printable(reason)]
  })
  return { json, text: formatTable(HEADINGS, rows) }
}
