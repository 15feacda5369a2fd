import { isEnded, type ScopeReading, StintError, tightestCeilings } from '../../core/index.ts'
import { type ParsedLimits, resolveLimits, rewriteLimits } from '../../policy/index.ts'
import { refuseServerScope } from '../keys/server-scope.ts'
import type { LedgerReader, Operator } from '../operator.ts'
import { type ScopeDetails, scopeDetails } from '../scopes/scope-details.ts'
import { standingsOf } from '../views/limit-standing.ts'
import { limitView } from '../views/scope-view.ts'

const MOST_ATTEMPTS = 10

export interface LimitChange {
  /** What is written; only the limits that it names change. */
  readonly layers: readonly ParsedLimits[]
  /** Ceilings that apply in addition to the scope's own. */
  readonly ceilings: readonly ParsedLimits[]
}

/**
 * Raises or lowers limits of a scope, even while another process runs it, but never above an operator's ceiling.
 * Returns the scope afterwards.
 */
export async function changeLimits(
  operator: Operator,
  { id, kind }: Pick<ScopeReading, 'id' | 'kind'>,
  { layers, ceilings }: LimitChange,
): Promise<ScopeDetails> {
  refuseServerScope(id)
  const { store, by, nowMs } = operator
  // Ceilings are for runs: a team's day may have more than any of its runs.
  const ofRuns = kind === 'lasting' ? [] : resolveLimits(ceilings).ceilings
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const scope = await readOpen(operator, id)
    const present = scope.limits.map(({ limit }) => limit)
    const limits = rewriteLimits(present, { layers, ceilings: tightestCeilings([...scope.ceilings, ...ofRuns]) })
    const written = { scopeId: id, limits, by, expectedRevision: scope.revision, atMs: nowMs() }
    if ((await store.setLimits(written)).kind !== 'written') continue
    return (await scopeDetails(operator, [await readOpen(operator, id)]))[0]!
  }
  const message = `Other processes kept changing the limits of ${id} at the same time. Try again.`
  throw new StintError('store_busy', message, { retryable: true })
}

export function changedLimitsView(scope: ScopeDetails) {
  const { id, path, revision } = scope
  return { id, path, revision, limits: standingsOf(scope).map(limitView) }
}

async function readOpen({ store, nowMs }: LedgerReader, scopeId: string): Promise<ScopeReading> {
  const scope = (await store.read({ scopeId, atMs: nowMs() }))!.at(-1)!
  if (!isEnded(scope.status)) return scope
  throw new StintError('scope_closed', `"${scope.path}" has ended (${scope.status}). Its limits no longer matter.`)
}
