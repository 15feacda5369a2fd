import type { ScopeRow } from '../../../../src/server/contract.ts'
import type { LiveTree } from '../../data/live-tree.ts'
import { isUnfinished } from '../../data/live-tree.ts'

export interface RowFilter {
  /** In lower case; a scope is shown if its path or agent type has it. */
  readonly find: string
  readonly status: string
  readonly withEnded: boolean
}

export interface VisibleRow {
  readonly id: string
  /** From 0 at the root. */
  readonly level: number
  readonly hasChildren: boolean
  readonly isOpen: boolean
}

/** The rows of the tree in order, without those in closed branches and those that the filter leaves out. */
export function visibleRows(tree: LiveTree, closed: ReadonlySet<string>, filter: RowFilter): readonly VisibleRow[] {
  const rows: VisibleRow[] = []
  const isNarrow = filter.find !== '' || filter.status !== ''

  /** Whether the branch has anything to show. */
  const add = (id: string, level: number): boolean => {
    const scope = tree.scopes.get(id)
    if (scope === undefined) return false
    const at = rows.length
    const below = tree.childrenOf(id)
    const isOpen = !closed.has(id)
    rows.push({ id, level, hasChildren: below.length > 0, isOpen })
    let hasShown = false
    // Where something is looked for, closed branches are searched too.
    if (isOpen || isNarrow) for (const child of below) hasShown = add(child, level + 1) || hasShown
    const isShown = hasShown || passes(scope, filter)
    if (!isShown) rows.length = at
    else if (!hasShown && isOpen) rows[at] = { id, level, hasChildren: false, isOpen }
    return isShown
  }

  for (const id of tree.childrenOf(null)) add(id, 0)
  return rows
}

function passes(scope: ScopeRow, { find, status, withEnded }: RowFilter): boolean {
  if (!withEnded && status === '' && !isUnfinished(scope)) return false
  if (status !== '' && scope.status !== status) return false
  return find === '' || scope.path.toLowerCase().includes(find) || (scope.agentType ?? '').toLowerCase().includes(find)
}
