import { InvalidOptionError, StintError } from '../../core/index.ts'
import { type ParsedLimits, resolveLimits } from '../../policy/index.ts'
import { refuseServerScope } from '../keys/server-scope.ts'
import { changeLimits } from '../limits/change-limits.ts'
import type { Operator } from '../operator.ts'
import { type ScopeDetails, scopeDetails } from '../scopes/scope-details.ts'

/** Sets limits of a budget, and creates it if needed, inside the budget `withinId`. */
export async function setBudget(
  operator: Operator,
  key: string,
  layers: readonly ParsedLimits[],
  withinId: string | null,
): Promise<ScopeDetails> {
  refuseServerScope(key)
  const { store, nowMs, by } = operator
  const read = async () => (await store.read({ scopeId: key, atMs: nowMs() }))?.at(-1)
  const before = await read()
  if (before?.kind === 'lasting') {
    if (withinId !== null && before.parentId !== withinId) {
      const place = before.parentId === null ? 'a budget of its own' : `within ${before.parentId}`
      throw new InvalidOptionError(
        '--within',
        withinId,
        `where ${key} was created: it is ${place}, and cannot be moved`,
      )
    }
    return changeLimits(operator, before, { layers, ceilings: [] })
  }
  // Opened with its limits, so that it never exists without them.
  const { limits } = resolveLimits(layers)
  const scopes = [{ id: key, name: key, kind: 'lasting', owner: null, limits, about: { by } }] as const
  const outcome = await store.open({ parentId: withinId, scopes, atMs: nowMs() })
  if (outcome.kind === 'closed')
    throw new StintError('scope_closed', `The scope "${key}" has ended for good. Choose another name.`)
  if (outcome.kind === 'paused') {
    const message = `"${outcome.scopeId}" is paused, so no budget can be created in it. To resume it: stint resume ${outcome.scopeId}`
    throw new StintError('scope_paused', message, { retryable: true })
  }
  if (outcome.kind === 'refused') {
    throw new InvalidOptionError('--within', withinId, 'a budget whose limits allow one more inside it')
  }
  const known = (await read())!
  if (known.kind !== 'lasting') throw new InvalidOptionError('stint budget set', key, 'a name that no run has')
  if (outcome.kind === 'opened' && outcome.created.length > 0) return (await scopeDetails(operator, [known]))[0]!
  return changeLimits(operator, known, { layers, ceilings: [] })
}
