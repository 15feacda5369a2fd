import { displayAmount, type LedgerStore, type ScopeReading } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import type { CommandContext } from '../command-context.ts'
import { MOST_SCOPES } from '../ledger/find-scope.ts'
import { withAssumed } from '../ledger/with-assumed.ts'
import { limitText } from '../output/amount-text.ts'
import { type LimitStanding, shareLeft, tightestOf } from '../output/limit-standing.ts'
import { spentText } from '../output/meter-text.ts'
import type { Paint } from '../output/paint.ts'
import type { Report } from '../output/report.ts'
import { scopeJson } from '../output/scope-json.ts'
import { inTreeOrder, type TreeRow } from '../output/scope-tree.ts'
import { shortIds } from '../output/short-id.ts'
import { ownerText, statusText } from '../output/status-text.ts'
import { formatTable } from '../output/table.ts'

const COLUMNS = [
  { heading: 'SCOPE', shrinksTo: 16 },
  'ID',
  'STATUS',
  'TIGHTEST LIMIT',
  { heading: 'SETTLED', dropOrder: 2 },
  { heading: 'RESERVED', dropOrder: 3 },
  { heading: 'HELD', dropOrder: 4 },
  'LEFT',
  { heading: 'OWNER', dropOrder: 1 },
] as const

/** `stint status`. */
export async function showStatus(context: CommandContext, isAll: boolean): Promise<Report> {
  const { platform, paint } = context
  const store = await context.store()
  const scopes = await listScopes(store, isAll, platform.nowMs())
  const isAlive = ({ owner }: ScopeReading): boolean | null => (owner === null ? null : platform.isHolderAlive(owner))
  const json = {
    store: context.config().store.address,
    scopes: scopes.map((scope) => scopeJson(scope, isAlive(scope))),
    isTruncated: scopes.length >= MOST_SCOPES,
  }
  if (scopes.length === 0) return { json, text: emptyText(context, isAll) }
  const idOf = shortIds(scopes)
  const rows = inTreeOrder(scopes).flatMap((row) => rowsOf(row, idOf, isAlive(row.scope), paint))
  return { json, text: formatTable(COLUMNS, rows, context.width) }
}

async function listScopes(store: LedgerStore, isAll: boolean, atMs: number): Promise<readonly ScopeReading[]> {
  return withAssumed(store, await store.list({ standing: isAll ? 'all' : 'open', most: MOST_SCOPES, atMs }), atMs)
}

function emptyText(context: CommandContext, isAll: boolean): string {
  const { address } = context.config().store
  const where = address.kind === 'memory' ? 'A ledger in memory is empty at the start.' : `Ledger: ${address.file}`
  return `${isAll ? 'No scopes yet.' : 'No scope is open.'} ${where}`
}

/** One line for the scope, and one for each further limit that is tight. */
function rowsOf(
  { scope, branch }: TreeRow,
  idOf: (scope: ScopeReading) => string,
  isOwnerAlive: boolean | null,
  paint: Paint,
): readonly string[][] {
  const tightest = tightestOf(scope)
  const first = [`${paint.dim(branch)}${printable(scope.name)}`, printable(idOf(scope))]
  const owner = ownerText(scope, isOwnerAlive, paint)
  const head = [...first, statusText(scope.status, paint), ...standingCells(tightest[0], paint), owner]
  const others = tightest.slice(1).map((standing) => ['', '', '', ...standingCells(standing, paint), ''])
  return [head, ...others]
}

function standingCells(standing: LimitStanding | undefined, paint: Paint): readonly string[] {
  if (standing === undefined) return ['–', '', '', '', '']
  const { limit, settled, assumed, reserved, held, remaining } = standing
  const show = (amount: number): string => displayAmount(limit.meter, amount)
  const shownLeft = displayAmount(limit.meter, remaining, 'down')
  const share = shareLeft(standing)
  const left = share === 0 ? paint.red(shownLeft) : share < 0.2 ? paint.yellow(shownLeft) : shownLeft
  return [limitText(limit), spentText(limit.meter, settled, assumed), show(reserved), show(held), left]
}
