import { InvalidOptionError, type ScopeKind } from '../core/index.ts'
import { type LayerInput, presetLayer, type ResolvedLimits, resolveLimits } from '../policy/index.ts'
import { admitChildren, type PlannedScope, refuseChildren } from './admit-children.ts'
import { createRuntime } from './create-runtime.ts'
import type { OpenSpec } from './governor.ts'
import { ScopeClosedError } from './scope-closed-error.ts'
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
  const planned = specs.map((spec): PlannedScope => {
    return { id: spec.id ?? context.createId(), kind, spec, resolved: resolveSpec(spec) }
  })
  const fresh = planned.filter((each) => knownAs(context, parent, each) === null)
  if (fresh.length > 0) await open(context, parent, fresh)
  return planned.map((each) => knownAs(context, parent, each) ?? missing(each))
}

async function open(
  context: GovernorContext,
  parent: ScopeRuntime | null,
  planned: readonly PlannedScope[],
): Promise<void> {
  const outcome = await admitChildren(context, parent, planned)
  if (outcome.kind === 'closed') throw new ScopeClosedError(outcome.scopeId)
  if (outcome.kind === 'refused') throw refuseChildren(parent!, planned, outcome.breaches)
  if (parent !== null && !context.living.has(parent.id)) {
    // It ended while its children were let in.
    const atMs = context.clock.wallMs()
    for (const { id } of planned) await context.store.close({ scopeId: id, status: 'stopped', atMs })
    throw new ScopeClosedError(parent.id)
  }
  let last: ScopeRuntime | null = null
  for (const each of planned) {
    // Somebody else may have opened the same one meanwhile.
    if (context.living.has(each.id)) continue
    last = createRuntime(context, parent, each)
    tellOpened(last)
  }
  if (last !== null) tellCrossings(last, outcome.crossings)
}

function knownAs(context: GovernorContext, parent: ScopeRuntime | null, planned: PlannedScope): ScopeRuntime | null {
  const known = context.living.get(planned.id)
  return known !== undefined && known.parent === parent && known.name === planned.spec.name ? known : null
}

function missing({ id }: PlannedScope): never {
  throw new ScopeClosedError(id)
}

function resolveSpec(spec: OpenSpec): ResolvedLimits {
  const place = { layer: 'call', call: 'governor.open' } as const
  const layers: LayerInput[] = []
  if (spec.preset !== undefined) layers.push(presetLayer(spec.preset))
  layers.push({ ...place, field: 'limits', limits: spec.limits ?? {} })
  if (spec.onLimit !== undefined) layers.push({ ...place, limits: { onLimit: spec.onLimit } })
  return resolveLimits(layers)
}
