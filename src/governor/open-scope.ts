import { InvalidOptionError, isEnded, ScopeExistsError, type ScopeKind } from '../core/index.ts'
import { admitChildren, largestNeeds, type PlannedScope, refuseChildren } from './admit-children.ts'
import { followLimits } from './apply-limits.ts'
import { assertWait } from './assert-wait.ts'
import { assumeHolder } from './assume-holder.ts'
import { createFoundRuntime, createRuntime, makeOwned } from './create-runtime.ts'
import type { OpenSpec } from './governor.ts'
import { GovernorClosedError } from './governor-closed-error.ts'
import { tellResumed } from './pause-scope.ts'
import { forgetPromise } from './promised-needs.ts'
import { refuseClocks } from './refuse-clocks.ts'
import { resolveSpec } from './resolve-spec.ts'
import { ScopeClosedError } from './scope-closed-error.ts'
import { ScopePausedError } from './scope-paused-error.ts'
import { type GovernorContext, isLiving, type ScopeRuntime } from './scope-runtime.ts'
import { tellCrossings } from './tell.ts'
import { tellOpened } from './tell-opened.ts'

/** Opens a scope below `parent`, queueing for a place if need be. Throws `LimitExceededError` if it is refused. */
export async function openScope(
  context: GovernorContext,
  parent: ScopeRuntime | null,
  spec: OpenSpec,
  kind: ScopeKind,
): Promise<ScopeRuntime> {
  const [runtime] = await openScopes(context, parent, [spec], kind)
  return runtime!
}

/** Opens all of them, or none. One that is open already is found, and is not opened again. */
export async function openScopes(
  context: GovernorContext,
  parent: ScopeRuntime | null,
  specs: readonly OpenSpec[],
  kind: ScopeKind,
): Promise<readonly ScopeRuntime[]> {
  if (context.isClosed) throw new GovernorClosedError()
  if (specs.length === 0) throw new InvalidOptionError('openAll(specs)', specs, 'a list with at least one scope')
  const needs = largestNeeds(specs)
  const planned = specs.map((spec): PlannedScope => {
    if (spec.waitMs !== undefined) assertWait('open({ waitMs })', spec.waitMs)
    const resolved = resolveSpec(spec, kind)
    if (kind === 'lasting') refuseClocks(resolved.limits, spec.name)
    return { id: spec.id ?? context.createId(), kind, spec, resolved, needs }
  })
  // Another process's may be ours to adopt: the store knows whether that is so.
  const fresh = planned.filter((each) => !isHere(knownAs(context, parent, each)))
  if (fresh.length > 0) await open(context, parent, fresh)
  return planned.map((each) => knownAs(context, parent, each) ?? missing(context, each))
}

async function open(
  context: GovernorContext,
  parent: ScopeRuntime | null,
  planned: readonly PlannedScope[],
): Promise<void> {
  const outcome = await admitChildren(context, parent, planned)
  if (outcome.kind === 'closed') throw new ScopeClosedError(outcome.scopeId)
  if (outcome.kind === 'paused') throw new ScopePausedError(outcome.scopeId)
  if (outcome.kind === 'refused') throw refuseChildren(parent!, planned, outcome.breaches)
  if (context.isClosed || (parent !== null && !isLiving(parent))) {
    // It ended while its children were let in.
    for (const { needs } of planned) forgetPromise(parent, needs)
    await closeOpened(context, [...outcome.created, ...outcome.adopted])
    throw parent === null || context.isClosed ? new GovernorClosedError() : new ScopeClosedError(parent.id)
  }
  let last: ScopeRuntime | null = null
  for (const each of planned) {
    if (outcome.created.includes(each.id)) {
      last = createRuntime(context, parent, each)
      tellOpened(last)
      continue
    }
    forgetPromise(parent, each.needs)
    // Somebody else here may have opened the same one meanwhile.
    if (!isHere(context.living.get(each.id) ?? null)) last = await findOpened(context, parent, each)
  }
  if (last !== null) tellCrossings(last, outcome.crossings)
}

async function closeOpened({ clock, debts, store }: GovernorContext, ids: readonly string[]): Promise<void> {
  for (const scopeId of ids) {
    await debts.attempt(() => store.close({ scopeId, status: 'stopped', atMs: clock.wallMs() }))
  }
}

/** It was there before: left behind by a process that died, or run by another one, or a budget of many. */
async function findOpened(
  context: GovernorContext,
  parent: ScopeRuntime | null,
  planned: PlannedScope,
): Promise<ScopeRuntime> {
  const { clock, holder, isHolderAlive, living, store } = context
  const { id } = planned
  const reading = (await store.read({ scopeId: id, atMs: clock.wallMs() }))?.at(-1)
  if (reading === undefined || isEnded(reading.status)) throw new ScopeClosedError(id)
  const { owner, isOrphaned } = reading
  if (owner !== null && owner !== holder && !isOrphaned && isHolderAlive(owner) === false) {
    // Nobody has noticed yet: then it is ours to do, and the store lets us have it.
    await assumeHolder(context, owner)
    await open(context, parent, [planned])
    return living.get(id) ?? missing(context, planned)
  }
  const known = living.get(id)
  if (known === undefined) {
    const found = createFoundRuntime(context, parent, reading)
    if (found.isOwned && found.pause === null) tellResumed(found, null, 0)
    return found
  }
  if (owner !== holder || isHere(known)) return known
  await followLimits(known, reading, null, false)
  makeOwned(known, reading)
  if (known.pause === null) tellResumed(known, null, 0)
  return known
}

/** Whether there is nothing to ask the store: a run of ours, or a budget that is known. */
function isHere(known: ScopeRuntime | null): boolean {
  return known !== null && (known.isOwned || known.kind === 'lasting')
}

function knownAs(context: GovernorContext, parent: ScopeRuntime | null, planned: PlannedScope): ScopeRuntime | null {
  const known = context.living.get(planned.id)
  const { kind, spec } = planned
  const isSame = known?.parent === parent && known.name === spec.name && known.kind === kind
  return known !== undefined && isSame ? known : null
}

/** It has ended already, or is a scope of another kind. */
function missing({ living }: GovernorContext, { id }: PlannedScope): never {
  throw living.has(id) ? new ScopeExistsError(id) : new ScopeClosedError(id)
}
