import type { ScopeReading } from '../../core/index.ts'

/** A scope with the tree lines in front of it. */
export interface TreeRow<Scope> {
  readonly scope: Scope
  readonly branch: string
}

/** Scopes as a tree, parents before their children. A scope whose parent is missing becomes a root. */
export function inTreeOrder<Scope extends ScopeReading>(scopes: readonly Scope[]): readonly TreeRow<Scope>[] {
  const ids = new Set(scopes.map(({ id }) => id))
  const byParent = new Map<string | null, Scope[]>()
  for (const scope of scopes) {
    const parent = scope.parentId !== null && ids.has(scope.parentId) ? scope.parentId : null
    const siblings = byParent.get(parent)
    if (siblings === undefined) byParent.set(parent, [scope])
    else siblings.push(scope)
  }
  const rows: TreeRow<Scope>[] = []
  const add = (scope: Scope, branch: string, indent: string): void => {
    rows.push({ scope, branch })
    const children = byParent.get(scope.id) ?? []
    for (const [index, child] of children.entries()) {
      const isLast = index === children.length - 1
      add(child, `${indent}${isLast ? '└─ ' : '├─ '}`, `${indent}${isLast ? '   ' : '│  '}`)
    }
  }
  for (const root of byParent.get(null) ?? []) add(root, '', '')
  return rows
}
