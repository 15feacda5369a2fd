import { isEnded, type ScopeFilter } from '../../../core/index.ts'
import type { ScopeState, ScopeTable } from '../../operations/index.ts'
import { createScopeState } from '../../operations/state/scope-state.ts'
import type { ChangeLog } from '../change-log.ts'
import type { RowSource } from '../row-source.ts'
import { columnsOf } from '../rows/columns-of.ts'
import { fillScope, identityFrom, type StoredScope } from '../rows/scope-row.ts'
import { readRow, UnreadableRowError } from '../rows/unreadable-row-error.ts'

const SCOPES = columnsOf('scopes')

export interface StoredScopes extends ScopeTable {
  /** The scope with this id, which must exist. */
  known(id: string): ScopeState
  has(id: string): boolean
  readonly endedCount: number
  /** Updates a scope that is in memory. */
  readAgain(id: string): void
  clear(): void
}

/** Every lookup other than by id must `flush` first: pending changes aren't in the rows. */
export function createStoredScopes(source: RowSource, changes: ChangeLog, flush: () => void): StoredScopes {
  const cached = new Map<string, ScopeState>()
  let endedCount = 0

  function get(id: string): ScopeState | undefined {
    const here = cached.get(id)
    if (here !== undefined) return here
    const stored = source.scope(id)
    if (stored === undefined) return undefined
    const { row } = stored
    const scope = readRow('scopes', id, () => {
      const parent = row.parent === null ? null : known(SCOPES.text(row, 'parent'))
      return createScopeState(parent, identityFrom(row), SCOPES.integer(row, 'opened_at'), changes)
    })
    fill(scope, stored)
    cached.set(id, scope)
    if (isEnded(scope.status)) endedCount++
    return scope
  }

  // A scope that is referred to and missing, or that its index doesn't find.
  function known(id: string): ScopeState {
    const scope = get(id)
    if (scope === undefined) throw new UnreadableRowError('scopes', id, 'it is missing')
    return scope
  }

  function fill(scope: ScopeState, stored: StoredScope): void {
    readRow('scopes', scope.id, () => fillScope(scope, stored))
  }

  function listed(filter: ScopeFilter & { readonly most?: number; readonly endedSinceMs?: number }): readonly string[] {
    flush()
    return source.scopesListed(filter)
  }

  return {
    get endedCount() {
      return endedCount
    },
    get,
    known,
    has: (id) => cached.has(id),
    add(scope) {
      cached.set(scope.id, scope)
    },
    ended() {
      endedCount++
    },
    openBelow({ id }) {
      flush()
      return source.scopesBelow(id).map(known)
    },
    ownedBy(holder) {
      flush()
      return source.scopesOwnedBy(holder).map(known)
    },
    owners() {
      flush()
      return source.owners()
    },
    list: (filter) => listed(filter).map(known),
    count: (filter) => listed({ ...filter, most: Number.MAX_SAFE_INTEGER }).length,
    readAgain(id) {
      const scope = cached.get(id)
      const stored = scope === undefined ? undefined : source.scope(id)
      if (scope === undefined || stored === undefined) return
      const wasEnded = isEnded(scope.status)
      fill(scope, stored)
      if (isEnded(scope.status) && !wasEnded) endedCount++
    },
    clear() {
      cached.clear()
      endedCount = 0
    },
  }
}
