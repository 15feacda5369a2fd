import type { ScopeReading } from '../../core/index.ts'
import { explainLimits, resolveLimits } from '../../policy/index.ts'
import type { LedgerReader } from '../operator.ts'

/** Every limit on the path of a scope, the root's first, with where it was written. */
export async function explainScope({ store, nowMs }: LedgerReader, { id, path }: ScopeReading) {
  const scopes = (await store.read({ scopeId: id, atMs: nowMs() }))!
  // The ledger keeps the limits that apply and their ceilings, each with its source, but not what they won over.
  const explain = ({ limits, ceilings }: ScopeReading) =>
    explainLimits({ ...resolveLimits([]), limits: limits.map(({ limit }) => limit), ceilings })
  return { id, path, scopes: scopes.map((scope) => ({ id: scope.id, path: scope.path, limits: explain(scope) })) }
}
