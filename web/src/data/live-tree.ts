import type { ScopeRow } from '../../../src/server/contract.ts'

/** Every scope that the page knows. One object for all, changed in place: there may be 10,000. */
export interface LiveTree {
  readonly scopes: ReadonlyMap<string, ScopeRow>
  /** The ids below a scope in the order in which they are shown; `null` has the roots. */
  childrenOf(id: string | null): readonly string[]
  /** Grows when a scope comes, goes, or changes its place. */
  readonly structure: number
  replace(scopes: readonly ScopeRow[]): void
  change(scopes: readonly ScopeRow[], gone: readonly string[]): void
}

export function createLiveTree(): LiveTree {
  const scopes = new Map<string, ScopeRow>()
  const children = new Map<string | null, string[]>()
  // Sorted when they are shown, not for each change.
  const unsorted = new Set<string | null>()
  let structure = 0

  const placeOf = ({ parentId }: ScopeRow): string | null =>
    parentId !== null && scopes.has(parentId) ? parentId : null

  const enter = (scope: ScopeRow): void => {
    const place = placeOf(scope)
    const siblings = children.get(place)
    if (siblings === undefined) children.set(place, [scope.id])
    else siblings.push(scope.id)
    unsorted.add(place)
    structure++
  }

  const apply = (scope: ScopeRow): void => {
    const before = scopes.get(scope.id)
    scopes.set(scope.id, scope)
    if (before === undefined) enter(scope)
    else if (isUnfinished(before) !== isUnfinished(scope)) {
      unsorted.add(placeOf(scope))
      structure++
    }
  }

  const remove = (id: string): void => {
    const scope = scopes.get(id)
    if (scope === undefined) return
    const place = placeOf(scope)
    scopes.delete(id)
    const siblings = children.get(place)?.filter((sibling) => sibling !== id) ?? []
    if (siblings.length === 0) children.delete(place)
    else children.set(place, siblings)
    for (const child of children.get(id) ?? []) remove(child)
    children.delete(id)
    structure++
  }

  return {
    scopes,
    get structure() {
      return structure
    },
    childrenOf(id) {
      const ids = children.get(id)
      if (ids === undefined) return []
      if (unsorted.delete(id)) ids.sort((left, right) => compare(scopes.get(left), scopes.get(right)))
      return ids
    },
    replace(rows) {
      scopes.clear()
      children.clear()
      unsorted.clear()
      structure++
      for (const row of rows) apply(row)
    },
    change(rows, gone) {
      for (const row of rows) apply(row)
      for (const id of gone) remove(id)
    },
  }
}

/** Whether a scope still runs, or may. */
export function isUnfinished({ closedAtMs }: ScopeRow): boolean {
  return closedAtMs === null
}

/** Budgets by name, then what is open before what has ended, the newest first. */
function compare(left: ScopeRow | undefined, right: ScopeRow | undefined): number {
  if (left === undefined || right === undefined) return 0
  const lasting = Number(right.kind === 'lasting') - Number(left.kind === 'lasting')
  if (lasting !== 0) return lasting
  if (left.kind === 'lasting') return left.name < right.name ? -1 : 1
  const open = Number(isUnfinished(right)) - Number(isUnfinished(left))
  return open !== 0 ? open : right.openedAtMs - left.openedAtMs
}
