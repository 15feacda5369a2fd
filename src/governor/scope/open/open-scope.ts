import {
  assertLabel,
  assertStorableText,
  InvalidOptionError,
  isEnded,
  ScopeExistsError,
  type ScopeKind,
} from '../../../core/index.ts'
import { assertWait } from '../../calls/waiting/assert-wait.ts'
import { emitCrossings } from '../../events/emit.ts'
import { emitOpened } from '../../events/emit-opened.ts'
import { emitResumed } from '../../events/emit-paused.ts'
import type { OpenSpec } from '../../governor.ts'
import { GovernorClosedError } from '../../governor-closed-error.ts'
import { followLimits } from '../../steering/apply-limits.ts'
import { assumeHolder } from '../../steering/assume-holder.ts'
import { ScopePausedError } from '../../steering/scope-paused-error.ts'
import { refuseClocks } from '../clocks/refuse-clocks.ts'
import { forgetPromise } from '../path/promised-needs.ts'
import { ScopeClosedError } from '../scope-closed-error.ts'
import { type GovernorContext, isLiving, type ScopeRuntime } from '../scope-runtime.ts'
import { admitChildren, largestNeeds, type PlannedScope, refuseChildren } from './admit-children.ts'
import { assertLimitsHold } from './assert-limits-hold.ts'
import { createFoundRuntime, createRuntime, makeOwned } from './create-runtime.ts'
import { resolveSpec } from './resolve-spec.ts'

/** Opens a scope below `parent`, queueing for a slot if necessary. Throws `LimitExceededError` if it is refused. */
export async function openScope(
  context: GovernorContext,
  parent: ScopeRuntime | null,
  spec: OpenSpec,
  kind: ScopeKind,
): Promise<ScopeRuntime> {
  const [runtime] = await openScopes(context, parent, [spec], kind)
  return runtime!
}

/** Opens all of them, or none. One that is already open is found, and not opened again. */
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
    assertTexts(spec)
    if (spec.waitMs !== undefined) assertWait('open({ waitMs })', spec.waitMs)
    const resolved = resolveSpec(spec, kind)
    if (kind === 'lasting') refuseClocks(resolved.limits, spec.name)
    return { id: spec.id ?? context.createId(), kind: ownKind(spec, kind), spec, resolved, needs }
  })
  // Another process's scope may be ours to adopt: the store knows.
  const fresh = planned.filter((each) => !isHere(knownAs(context, parent, each)))
  for (const each of fresh) await assertHeldThere(context, each)
  if (fresh.length > 0) await open(context, parent, fresh)
  return planned.map((each) => {
    const known = knownAs(context, parent, each) ?? missing(context, each)
    if (isNamedRun(each)) assertLimitsHold(known, each.resolved.limits)
    return known
  })
}

/** Each scope opened together with others may be a group. */
function ownKind(spec: OpenSpec, kind: ScopeKind): ScopeKind {
  return kind === 'agent' ? (spec.kind ?? kind) : kind
}

/**
 * Registers children that are opened later, each by its id: all of them, or none. Until then they have no place, and
 * their clocks don't run. Throws `LimitExceededError` if they are refused.
 */
export async function enlistScopes(parent: ScopeRuntime, specs: readonly OpenSpec[]): Promise<void> {
  const { context } = parent
  const planned = specs.map((spec): PlannedScope => {
    assertTexts(spec)
    const id = spec.id ?? context.createId()
    const resolved = resolveSpec(spec, 'agent')
    // Its needs are checked when it is opened.
    return { id, kind: ownKind(spec, 'agent'), spec, resolved, needs: {}, isQueued: true }
  })
  const outcome = await admitChildren(context, parent, planned)
  if (outcome.kind === 'closed') throw new ScopeClosedError(outcome.scopeId)
  if (outcome.kind === 'paused') throw new ScopePausedError(outcome.scopeId)
  if (outcome.kind === 'refused') throw refuseChildren(parent, planned, outcome.breaches)
  emitCrossings(parent, outcome.crossings)
}

/**
 * Checked before adoption: a scope that was left behind with other limits stays as it is, for a caller that opens it
 * with its own.
 */
async function assertHeldThere({ clock, store }: GovernorContext, planned: PlannedScope): Promise<void> {
  if (!isNamedRun(planned) || planned.resolved.limits.length === 0) return
  const reading = (await store.read({ scopeId: planned.id, atMs: clock.wallMs() }))?.at(-1)
  if (reading === undefined || isEnded(reading.status)) return
  const limits = reading.limits.map(({ limit }) => limit)
  assertLimitsHold({ id: reading.id, revision: reading.revision, limits }, planned.resolved.limits)
}

/** Whether it can be open already. So can a budget, but its limits are then rewritten. */
function isNamedRun({ kind, spec }: PlannedScope): boolean {
  return kind !== 'lasting' && spec.id !== undefined
}

/** The texts that a scope is found by, or that are stored with it, must survive storage unchanged. */
function assertTexts({ id, taskId, agentType }: OpenSpec): void {
  if (id !== undefined) assertStorableText(id, 'open({ id })')
  if (taskId !== undefined) assertLabel(taskId, 'open({ taskId })')
  if (agentType !== undefined) assertLabel(agentType, 'open({ agentType })')
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
  const over = endedAbove(context, parent)
  if (over !== null) {
    // It ended while its children were being admitted.
    for (const { needs } of planned) forgetPromise(parent, needs)
    await closeOpened(context, [...outcome.created, ...outcome.adopted])
    throw over
  }
  // All new ones at once: their parent may end while the store is asked for the others.
  const created = new Set(outcome.created)
  const opened = planned.filter(({ id }) => created.has(id)).map((each) => createRuntime(context, parent, each))
  for (const runtime of opened) emitOpened(runtime)
  if (opened.length > 0) emitCrossings(opened.at(-1)!, outcome.crossings)
  const others = planned.filter(({ id }) => !created.has(id))
  for (const { needs } of others) forgetPromise(parent, needs)
  for (const each of others) {
    // Another caller here may have opened the same one meanwhile.
    if (!isHere(context.living.get(each.id) ?? null)) await findOpened(context, parent, each)
  }
}

/** Why nothing more can be opened below `parent`; `null` while it can. */
export function endedAbove(context: GovernorContext, parent: ScopeRuntime | null): Error | null {
  if (context.isClosed) return new GovernorClosedError()
  return parent === null || isLiving(parent) ? null : new ScopeClosedError(parent.id)
}

async function closeOpened({ clock, pendingWrites, store }: GovernorContext, ids: readonly string[]): Promise<void> {
  for (const scopeId of ids) {
    await pendingWrites.attempt(() => store.close({ scopeId, status: 'stopped', atMs: clock.wallMs() }))
  }
}

/** It existed before: left behind by a process that died, run by another one, or a shared budget. */
async function findOpened(context: GovernorContext, parent: ScopeRuntime | null, planned: PlannedScope): Promise<void> {
  const { clock, endedLately, holder, isHolderAlive, living, store } = context
  const { id } = planned
  const reading = (await store.read({ scopeId: id, atMs: clock.wallMs() }))?.at(-1)
  const hasEnded = reading === undefined || isEnded(reading.status) || endedLately.get(id) !== undefined
  if (hasEnded) throw new ScopeClosedError(id)
  const { owner, isOrphaned } = reading
  const over = endedAbove(context, parent)
  if (over !== null) {
    if (owner === holder) await closeOpened(context, [id])
    throw over
  }
  if (owner !== null && owner !== holder && (isOrphaned || isHolderAlive(owner) === false)) {
    // No process has noticed yet, or only since we asked: so it is up to us, and the store lets us adopt it.
    if (!isOrphaned) await assumeHolder(context, { holder: owner })
    return open(context, parent, [planned])
  }
  const known = living.get(id)
  if (known === undefined) {
    const found = createFoundRuntime(context, parent, reading)
    if (found.life.isOwned && found.life.pause === null) emitResumed(found, null, 0)
    return
  }
  if (owner !== holder || isHere(known)) return
  await followLimits(known, reading, null, false)
  if (!isLiving(known)) throw new ScopeClosedError(id)
  makeOwned(known, reading)
  if (known.life.pause === null) emitResumed(known, null, 0)
}

/** Whether there is no need to ask the store: a run of ours, or a known budget. */
function isHere(known: ScopeRuntime | null): boolean {
  return known !== null && (known.life.isOwned || known.kind === 'lasting')
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
