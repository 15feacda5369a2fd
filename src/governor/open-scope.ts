import { InvalidOptionError, ScopeExistsError, type ScopeKind } from '../core/index.ts'
import { admitChildren, largestNeeds, type PlannedScope, refuseChildren } from './admit-children.ts'
import { assertWait } from './assert-wait.ts'
import { createFoundRuntime, createRuntime } from './create-runtime.ts'
import type { OpenSpec } from './governor.ts'
import { forgetPromise } from './promised-needs.ts'
import { refuseClocks } from './refuse-clocks.ts'
import { resolveSpec } from './resolve-spec.ts'
import { ScopeClosedError } from './scope-closed-error.ts'
import { ScopePausedError } from './scope-paused-error.ts'
import type { GovernorContext, ScopeRuntime } from './scope-runtime.ts'
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
  if (specs.length === 0) throw new InvalidOptionError('openAll(specs)', specs, 'a list with at least one scope')
  const needs = largestNeeds(specs)
  const planned = specs.map((spec): PlannedScope => {
    if (spec.waitMs !== undefined) assertWait('open({ waitMs })', spec.waitMs)
    const resolved = resolveSpec(spec, kind)
    if (kind === 'lasting') refuseClocks(resolved.limits, spec.name)
    return { id: spec.id ?? context.createId(), kind, spec, resolved, needs }
  })
  const fresh = planned.filter((each) => knownAs(context, parent, each) === null)
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
  if (parent !== null && !context.living.has(parent.id)) {
    // It ended while its children were let in.
    const atMs = context.clock.wallMs()
    for (const { id, needs } of planned) {
      forgetPromise(parent, needs)
      await context.store.close({ scopeId: id, status: 'stopped', atMs })
    }
    throw new ScopeClosedError(parent.id)
  }
  let last: ScopeRuntime | null = null
  for (const each of planned) {
    // Somebody else may have opened the same one meanwhile.
    if (context.living.has(each.id)) {
      forgetPromise(parent, each.needs)
      continue
    }
    last = outcome.created.includes(each.id)
      ? createRuntime(context, parent, each)
      : await findOpened(context, parent, each)
    tellOpened(last)
  }
  if (last !== null) tellCrossings(last, outcome.crossings)
}

/** It was there before: left behind by a process that died, or run by another one, or a budget of many. */
async function findOpened(
  context: GovernorContext,
  parent: ScopeRuntime | null,
  { id, needs }: PlannedScope,
): Promise<ScopeRuntime> {
  forgetPromise(parent, needs)
  const reading = (await context.store.read({ scopeId: id, atMs: context.clock.wallMs() }))?.at(-1)
  if (reading === undefined) throw new ScopeClosedError(id)
  return context.living.get(id) ?? createFoundRuntime(context, parent, reading)
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
