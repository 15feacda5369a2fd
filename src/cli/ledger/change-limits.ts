import { isEnded, type LedgerStore, type ScopeReading, StintError, tightestCeilings } from '../../core/index.ts'
import { type ParsedLimits, resolveLimits, rewriteLimits } from '../../policy/index.ts'

const MOST_ATTEMPTS = 10

interface Change {
  readonly scopeId: string
  /** What is written; only the limits that it names change. */
  readonly layers: readonly ParsedLimits[]
  /** What no limit is raised above, beside the ceilings that the scope has. */
  readonly ceilings: readonly ParsedLimits[]
  readonly by: string
  readonly nowMs: () => number
}

/**
 * Writes limits of a scope anew, whoever runs it: those that are named, up or down, and never above an
 * operator's ceiling. Returns how the scope then stands.
 */
export async function changeLimits(store: LedgerStore, change: Change): Promise<ScopeReading> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const scope = await readOpen(store, change)
    const { scopeId, by, layers } = change
    const present = scope.limits.map(({ limit }) => limit)
    const ceilings = [...scope.ceilings, ...resolveLimits(change.ceilings).ceilings]
    const limits = rewriteLimits(present, { layers, ceilings: tightestCeilings(ceilings) })
    const outcome = await store.setLimits({
      scopeId,
      limits,
      by,
      expectedRevision: scope.revision,
      atMs: change.nowMs(),
    })
    if (outcome.kind === 'written') return readOpen(store, change)
  }
  const message = `Others kept writing the limits of ${change.scopeId} at the same time. Try again.`
  throw new StintError('store_busy', message, { retryable: true })
}

async function readOpen(store: LedgerStore, { scopeId, nowMs }: Change): Promise<ScopeReading> {
  const scope = (await store.read({ scopeId, atMs: nowMs() }))!.at(-1)!
  if (!isEnded(scope.status)) return scope
  throw new StintError('scope_closed', `"${scope.path}" has ended (${scope.status}). Its limits no longer matter.`)
}
