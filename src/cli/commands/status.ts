import { displayAmount, type LedgerStore, type ScopeReading } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import type { CommandContext } from '../command-context.ts'
import { MOST_SCOPES } from '../ledger/find-scope.ts'
import { withAssumed } from '../ledger/with-assumed.ts'
import { isLedgerKnown } from '../open-store.ts'
import { limitText } from '../output/amount-text.ts'
import { countText } from '../output/count-text.ts'
import { isLeft } from '../output/is-left.ts'
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
  const stale = scopes.filter((scope) => isLeft(scope, platform.isHolderAlive))
  const rows = inTreeOrder(scopes).flatMap((row) => {
    return rowsOf(row, idOf, { isAlive: isAlive(row.scope), isStale: stale.includes(row.scope) }, paint)
  })
  return { json, text: formatTable(COLUMNS, rows, context.width), notices: staleNotices(stale) }
}

async function listScopes(store: LedgerStore, isAll: boolean, atMs: number): Promise<readonly ScopeReading[]> {
  return withAssumed(store, await store.list({ standing: isAll ? 'all' : 'open', most: MOST_SCOPES, atMs }), atMs)
}

function staleNotices(stale: readonly ScopeReading[]): readonly string[] {
  if (stale.length === 0) return []
  const id = stale.length === 1 ? stale[0]!.id : 'ID'
  const what = countText(stale.length, 'run')
  return [`The process of ${what} is dead. To go on with it: stint resume ${id}, or to end it: stint stop ${id}`]
}

function emptyText(context: CommandContext, isAll: boolean): string {
  const { address, place } = context.config().store
  if (address.kind === 'sqlite' && !isLedgerKnown(address.file)) {
    return `There is no ledger at ${address.file} yet (${place}): nothing was ever written there.`
  }
  const where = address.kind === 'memory' ? 'A ledger in memory is empty at the start.' : `Ledger: ${address.file}`
  return `${isAll ? 'No scopes yet.' : 'No scope is open.'} ${where}`
}

/** One line for the scope, and one for each further limit that is tight. */
function rowsOf(
  { scope, branch }: TreeRow,
  idOf: (scope: ScopeReading) => string,
  { isAlive, isStale }: { readonly isAlive: boolean | null; readonly isStale: boolean },
  paint: Paint,
): readonly string[][] {
  const tightest = tightestOf(scope)
  const first = [`${paint.dim(branch)}${printable(scope.name)}`, printable(idOf(scope))]
  const owner = ownerText(scope, isAlive, paint)
  const status = isStale ? paint.red('stale') : statusText(scope.status, paint)
  const head = [...first, status, ...standingCells(tightest[0], paint), owner]
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
