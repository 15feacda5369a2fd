import { InvalidOptionError, isEnforced, type Limit, StintError } from '../../../core/index.ts'
import { type ParsedLimits, resolveLimits } from '../../../policy/index.ts'
import type { ChildSpec, OpenSpec } from '../../governor.ts'
import { findScope } from '../find-scope.ts'
import type { GovernorContext, ScopeRuntime } from '../scope-runtime.ts'
import { budgetAbove, budgetText, type CallerKind, refuseUnnamed } from './caller-budget.ts'
import { openScope } from './open-scope.ts'
import { believedShared } from './resolve-spec.ts'

/** Opens a run below the budgets of its caller's team and user, as far as it names them. */
export async function openBelowBudgets(
  context: GovernorContext,
  parent: ScopeRuntime | null,
  spec: OpenSpec,
): Promise<ScopeRuntime> {
  const shared = believedShared(spec)
  const team = await placeIn(context, parent, { kind: 'team', name: spec.team, wanted: shared.team })
  const place = await placeIn(context, team, { kind: 'user', name: spec.user, wanted: shared.user })
  return openScope(context, place, spec, spec.kind ?? 'agent')
}

/** The same for children that are opened together: a limit that one of them sets for such a budget must match it. */
export async function assertBudgetsAbove(
  context: GovernorContext,
  parent: ScopeRuntime,
  specs: readonly ChildSpec[],
): Promise<void> {
  for (const spec of specs) {
    const shared = believedShared(spec)
    await placeIn(context, parent, { kind: 'team', name: undefined, wanted: shared.team })
    await placeIn(context, parent, { kind: 'user', name: undefined, wanted: shared.user })
  }
}

interface Caller {
  readonly kind: CallerKind
  readonly name: string | undefined
  readonly wanted: readonly ParsedLimits[]
}

/** Where the run is opened: below this caller's budget, or where it was going to be if no caller is named. */
async function placeIn(
  context: GovernorContext,
  parent: ScopeRuntime | null,
  { kind, name, wanted }: Caller,
): Promise<ScopeRuntime | null> {
  const { limits } = resolveLimits(wanted)
  const above = budgetAbove(parent, kind)
  if (name === undefined) {
    if (above === null) refuseUnnamed(kind, wanted)
    else await assertBudgetHolds(context, above, limits)
    return parent
  }
  const key = name.startsWith(`${kind}:`) ? name : `${kind}:${name}`
  if (above !== null && above.id !== key) throw misplaced(kind, name, `left out or ${above.id}: "${parent!.path}" pays`)
  const budget = above ?? (await budgetOf(context, parent, key, wanted))
  await assertBudgetHolds(context, budget, limits)
  return above === null ? budget : parent
}

/** The budget. It is created only if a limit is set for it: an unknown name without one is a typo. */
async function budgetOf(
  context: GovernorContext,
  parent: ScopeRuntime | null,
  key: string,
  wanted: readonly ParsedLimits[],
): Promise<ScopeRuntime> {
  const kind = key.startsWith('team:') ? 'team' : 'user'
  if (parent !== null && parent.kind !== 'lasting') {
    throw misplaced(kind, key, `left out: "${parent.path}" pays, and it is not within ${key}`)
  }
  const found = await findScope(context, key)
  if (found === null && wanted.length === 0) {
    const remedy = `governor.budget("${key}", { limits: { cost: 100 } }), or stint budget set ${key} --limit cost=100`
    throw new StintError('unknown_scope', `There is no budget "${key}". To create it: ${remedy}`)
  }
  if (parent?.limits.some(({ meter }) => meter === 'concurrency') === true) {
    throw misplaced(kind, key, `left out: ${parent.id} limits concurrency, which counts the runs directly below it`)
  }
  if (found === null) return openScope(context, parent, { name: key, id: key, layers: wanted }, 'lasting')
  if (found.kind === 'lasting' && found.parent?.id === parent?.id) return found
  const place = found.parent === null ? 'a budget of its own' : `within ${found.parent.path}`
  const meant = parent === null ? 'a budget of its own' : `within ${parent.path}`
  throw misplaced(kind, key, `another name: ${key} is ${place} in this ledger, not ${meant}`)
}

/**
 * Checks that a budget has the limits that a run sets for it. A run that creates the budget sets them; one that finds
 * it changes nothing, since it is shared: a limit that the budget does not have is refused.
 */
async function assertBudgetHolds(
  context: GovernorContext,
  budget: ScopeRuntime,
  wanted: readonly Limit[],
): Promise<void> {
  if (wanted.length === 0) return
  const reading = (await context.store.read({ scopeId: budget.id, atMs: context.clock.wallMs() }))?.at(-1)
  const present = reading?.limits.map(({ limit }) => limit) ?? []
  for (const limit of wanted) {
    if (present.some((each) => holds(each, limit))) continue
    const costs = present.filter(({ meter }) => meter === 'cost').map(budgetText)
    const has = costs.length === 0 ? 'no cost limit' : costs.join(' and ')
    const form =
      `one that the budget ${budget.id} has (${has}): one run cannot change what others ` +
      `share. To change it for everyone: stint budget set ${budget.id} ${flagOf(limit)}`
    throw new InvalidOptionError(limit.source.field ?? limit.source.written, budgetText(limit), form)
  }
}

/** A limit without a period covers every period as well. */
function holds({ meter, max, per, action }: Limit, wanted: Limit): boolean {
  const covers = per === wanted.per || per === null
  return meter === wanted.meter && covers && max <= wanted.max && isEnforced(action)
}

// A shell treats a dollar sign as a variable.
function flagOf(limit: Limit): string {
  return `--limit cost=${budgetText(limit).replace('$', '')}`
}

function misplaced(kind: CallerKind, name: string, form: string): InvalidOptionError {
  return new InvalidOptionError(`open({ ${kind} })`, name, form)
}
