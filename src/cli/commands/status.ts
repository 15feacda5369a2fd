import { type StoreAddress, storeText } from '../../config/store-address.ts'
import { printable } from '../../core/checks/printable.ts'
import { displayAmount } from '../../core/index.ts'
import { listScopes, scopeListView } from '../../operate/scopes/list-scopes.ts'
import type { ScopeDetails } from '../../operate/scopes/scope-details.ts'
import { inTreeOrder, type TreeRow } from '../../operate/scopes/scope-tree.ts'
import { type LimitStanding, shareLeft, tightestOf } from '../../operate/views/limit-standing.ts'
import type { CommandContext } from '../command-context.ts'
import { isLedgerKnown } from '../open-store.ts'
import { limitText } from '../output/amount-text.ts'
import { spentText } from '../output/meter-text.ts'
import type { Paint } from '../output/paint.ts'
import type { Report } from '../output/report.ts'
import { shortIds } from '../output/short-id.ts'
import { ownerText, statusText } from '../output/status-text.ts'
import { formatTable } from '../output/table.ts'
import { nameOrWhatRan } from '../output/what-ran.ts'

// More than anyone reads, and only a few screens of output.
const MOST_SHOWN = 200

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
  const standing = isAll ? 'all' : 'open'
  const most = isAll || context.isJson ? {} : { most: MOST_SHOWN }
  const list = await listScopes(await context.operator(), { standing, ...most })
  const { scopes, total } = list
  return {
    json: () => ({ store: shownStore(context), ...scopeListView(list) }),
    text: () => (total === 0 ? emptyText(context, isAll) : tableText(context, scopes, total - scopes.length, isAll)),
    notices: staleNotices(scopes.filter(({ isStale }) => isStale)),
  }
}

function tableText(
  { paint, width }: CommandContext,
  scopes: readonly ScopeDetails[],
  hidden: number,
  isAll: boolean,
): string {
  // A shortened id is only unique among the ids that are shown.
  const idOf = hidden === 0 ? shortIds(scopes) : ({ id }: ScopeDetails): string => id
  const rows = inTreeOrder(scopes).flatMap((row) => rowsOf(row, { idOf, paint, isAll }))
  const table = formatTable(COLUMNS, rows, width)
  return hidden === 0 ? table : `${table}\n… and ${hidden.toLocaleString('en-US')} more: stint status --all`
}

function staleNotices(stale: readonly ScopeDetails[]): readonly string[] {
  if (stale.length === 0) return []
  if (stale.length > 1) {
    const runs = stale.length.toLocaleString('en-US')
    return [
      `${runs} of these runs have lost their process. To continue one: stint resume ID, or to end it: stint stop ID`,
    ]
  }
  const { id } = stale[0]!
  return [`The process of 1 run is dead. To continue: stint resume ${id}, or to end it: stint stop ${id}`]
}

function shownStore(context: CommandContext): StoreAddress {
  const { address } = context.config().store
  return address.kind === 'postgres' ? { ...address, url: storeText(address) } : address
}

function placeOf(address: StoreAddress): string {
  return address.kind === 'sqlite' ? address.file : storeText(address)
}

function emptyText(context: CommandContext, isAll: boolean): string {
  const { address, place } = context.config().store
  if (address.kind === 'sqlite' && !isLedgerKnown(address.file)) {
    return `There is no ledger at ${address.file} yet (${place}).`
  }
  const where = address.kind === 'memory' ? 'A ledger in memory starts empty.' : `Ledger: ${placeOf(address)}`
  return `${isAll ? 'No scopes yet.' : 'No scope is open.'} ${where}`
}

/** One line for the scope, and one for each other tight limit. */
function rowsOf(
  { scope, branch }: TreeRow<ScopeDetails>,
  { idOf, paint, isAll }: { idOf(scope: ScopeDetails): string; readonly paint: Paint; readonly isAll: boolean },
): readonly string[][] {
  const tightest = tightestOf(scope)
  // Of many runs with one name, it helps to know what each of them was.
  const name = isAll ? nameOrWhatRan(scope) : scope.name
  const first = [`${paint.dim(branch)}${printable(name)}`, printable(idOf(scope)), statusText(scope, paint)]
  const head = [...first, ...standingCells(tightest[0], paint), ownerText(scope, paint)]
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
