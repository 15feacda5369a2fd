import {
  type Breaches,
  childPath,
  describeSource,
  LimitExceededError,
  limitEventFromBreach,
  type OpenOutcome,
  type ScopeKind,
} from '../core/index.ts'
import { type LayerInput, presetLayer, type ResolvedLimits, resolveLimits } from '../policy/index.ts'
import { createActivity } from './activity.ts'
import { clockEvents } from './clock-events.ts'
import { currentPlace } from './current-scope.ts'
import type { OpenSpec } from './governor.ts'
import { createScopeClocks } from './scope-clocks.ts'
import { ScopeClosedError } from './scope-closed-error.ts'
import { type GovernorContext, isClockLimit, type ScopeRuntime, subjectOf } from './scope-runtime.ts'
import { headerFor, ownerOf, tellCrossings } from './tell.ts'
import { waitInLine } from './wait-in-line.ts'

/** Opens a scope below `parent`, queueing for a place if need be. Throws `LimitExceededError` if it is refused. */
export async function openScope(
  context: GovernorContext,
  parent: ScopeRuntime | null,
  spec: OpenSpec,
  kind: ScopeKind,
): Promise<ScopeRuntime> {
  const resolved = resolveSpec(spec)
  const id = spec.id ?? context.createId()
  const known = context.living.get(id)
  if (known !== undefined && known.parent === parent && known.name === spec.name) return known
  const outcome = await admit(context, parent, spec, { id, kind, resolved })
  if (outcome.kind === 'closed') throw new ScopeClosedError(outcome.scopeId)
  if (outcome.kind === 'refused') throw refusalOf(parent!, spec, outcome.breaches)
  const runtime = createRuntime(context, parent, spec, { id, kind, resolved })
  tellOpened(runtime)
  tellCrossings(runtime, outcome.crossings)
  return runtime
}

interface Planned {
  readonly id: string
  readonly kind: ScopeKind
  readonly resolved: ResolvedLimits
}

function resolveSpec(spec: OpenSpec): ResolvedLimits {
  const place = { layer: 'call', call: 'governor.open' } as const
  const layers: LayerInput[] = []
  if (spec.preset !== undefined) layers.push(presetLayer(spec.preset))
  layers.push({ ...place, field: 'limits', limits: spec.limits ?? {} })
  if (spec.onLimit !== undefined) layers.push({ ...place, limits: { onLimit: spec.onLimit } })
  return resolveLimits(layers)
}

/** Asks the store, and queues while all that is missing may come free. The queue of each parent is bounded. */
async function admit(
  context: GovernorContext,
  parent: ScopeRuntime | null,
  spec: OpenSpec,
  { id, kind, resolved }: Planned,
): Promise<OpenOutcome> {
  const { limits } = resolved
  const scope = { id, name: spec.name, kind, limits, owner: kind === 'lasting' ? null : context.holder }
  const needs = spec.needs === undefined ? {} : { needs: spec.needs }
  const attempt = async (): Promise<OpenOutcome> => {
    const halt = parent?.rootToSelf.find((each) => each.halt !== null)?.halt ?? null
    if (halt !== null) return { kind: 'refused', mayFitLater: false, breaches: halt }
    return context.store.open({ parentId: parent?.id ?? null, scopes: [scope], ...needs, atMs: context.clock.wallMs() })
  }
  const shortOf = (outcome: OpenOutcome): Breaches | null =>
    outcome.kind === 'refused' && outcome.mayFitLater ? outcome.breaches : null

  const first = await attempt()
  const short = shortOf(first)
  const waitMs = spec.waitMs ?? context.waitMs
  if (parent === null || short === null || waitMs === 0 || parent.queued >= context.queueLength) return first
  parent.queued++
  try {
    return await waitInLine({ context, signal: parent.controller.signal, waitMs, attempt, shortOf }, short)
  } finally {
    parent.queued--
  }
}

function refusalOf(parent: ScopeRuntime, spec: OpenSpec, breaches: Breaches): LimitExceededError {
  const { hub, clock } = parent.context
  const [breach] = breaches
  const moment = { event: 'spawn_refused', atMs: clock.wallMs() } as const
  const subject = subjectOf(ownerOf(parent, breach.scope))
  hub.emit({ ...limitEventFromBreach(moment, subject, breach), child_name: spec.name, children: 1 })
  const places = breach.meter === 'concurrency' ? ` (${breach.settled} running, ${parent.queued} queued)` : ''
  const message = `"${spec.name}" was not opened below "${parent.path}"${places}. ${breach.message}`
  return new LimitExceededError([{ ...breach, message }, ...breaches.slice(1)])
}

function createRuntime(
  context: GovernorContext,
  parent: ScopeRuntime | null,
  spec: OpenSpec,
  { id, kind, resolved }: Planned,
): ScopeRuntime {
  const place = currentPlace()
  const rootToSelf: ScopeRuntime[] = [...(parent?.rootToSelf ?? [])]
  const within = place !== null && place.scope === parent ? place.call : null
  const activity = createActivity(parent?.activity ?? null, within, (stands) => runtime.clocks.setStanding(stands))
  const clockLimits = kind === 'lasting' ? [] : resolved.limits.filter(isClockLimit)
  const runtime: ScopeRuntime = {
    context,
    id,
    name: spec.name,
    path: childPath(parent?.path ?? null, spec.name),
    kind,
    parent,
    rootToSelf,
    children: new Set(),
    taskId: spec.taskId ?? null,
    agentType: spec.agentType ?? spec.preset ?? null,
    activity,
    clocks: createScopeClocks(
      context.clock,
      clockLimits,
      false,
      clockEvents(() => runtime),
    ),
    controller: new AbortController(),
    startedAtMs: context.clock.monotonicMs(),
    resolved,
    limits: resolved.limits,
    status: 'running',
    halt: null,
    turns: 0,
    costNanoUsd: 0,
    queued: 0,
    handle: null,
  }
  rootToSelf.push(runtime)
  parent?.children.add(runtime)
  context.living.set(id, runtime)
  return runtime
}

function tellOpened(runtime: ScopeRuntime): void {
  const { hub } = runtime.context
  const parentScope = runtime.parent?.id ?? null
  hub.emit({
    ...headerFor(runtime, 'scope_opened'),
    kind: runtime.kind,
    parent_scope: parentScope,
    limits: runtime.limits.map(({ meter, max, per, action, source }) => {
      return { limit_kind: meter, limit: max, per, action, source: describeSource(source) }
    }),
  })
  if (runtime.kind !== 'agent') return
  const depth = runtime.rootToSelf.filter(({ kind }) => kind === 'agent').length - 1
  hub.emit({ ...headerFor(runtime, 'agent_started'), parent_scope: parentScope, depth })
}
