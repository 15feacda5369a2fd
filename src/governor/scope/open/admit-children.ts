import {
  type Amounts,
  assertAmounts,
  type Breaches,
  type CounterMeter,
  LimitExceededError,
  limitEventFromBreach,
  type Meter,
  messageForChild,
  type NewScope,
  type OpenOutcome,
  type OpenRequest,
  type ScopeKind,
  vectorFromAmounts,
} from '../../../core/index.ts'
import type { ResolvedLimits } from '../../../policy/index.ts'
import { blockOnPath } from '../../calls/block-on-path.ts'
import { isPassing } from '../../calls/pending-writes.ts'
import { waitInLine } from '../../calls/waiting/wait-in-line.ts'
import { ownerOf } from '../../events/emit.ts'
import type { OpenSpec } from '../../governor.ts'
import { underLivingHolder } from '../../steering/take-new-holder.ts'
import { promisedOnPath, promiseNeeds } from '../path/promised-needs.ts'
import { type GovernorContext, type ScopeRuntime, subjectOf } from '../scope-runtime.ts'
import { aboutOf } from './about-of.ts'
import { askToOpen, isQuestion, openQuestion } from './ask-to-open.ts'
import { labelsOf } from './scope-labels.ts'

/** A scope that is to be opened. */
export interface PlannedScope {
  readonly id: string
  readonly kind: ScopeKind
  readonly spec: OpenSpec
  readonly resolved: ResolvedLimits
  /** What each scope of its group must find unspent on the path. */
  readonly needs: Amounts | null
  /** It is only registered, and opened later. */
  readonly isQueued?: boolean
  /** It is taken over, if another process has it. */
  readonly takesOver?: boolean
}

// Each question needs an answer from a person.
const MOST_QUESTIONS = 100

/** Asks the store. If a `spawns` limit has the action `ask`, asks the person who decides first. */
export async function admitChildren(
  context: GovernorContext,
  parent: ScopeRuntime | null,
  planned: readonly PlannedScope[],
): Promise<OpenOutcome> {
  let outcome = await admitNow(context, parent, planned)
  for (let round = 0; parent !== null && round < MOST_QUESTIONS; round++) {
    if (outcome.kind !== 'refused' || !isQuestion(outcome.breaches)) break
    const reason = openQuestion(planned.map(({ spec }) => spec.name))
    const signals = planned.map(({ spec }) => spec.signal)
    const waits = planned.every(({ spec }) => spec.waitsForAnswer !== false)
    if (!(await askToOpen(parent, outcome.breaches, { reason, waits, signals }))) break
    outcome = await admitNow(context, parent, planned)
  }
  return outcome
}

/** Asks the store, and queues while everything that is missing may become free. The queue of each parent is bounded. */
async function admitNow(
  context: GovernorContext,
  parent: ScopeRuntime | null,
  planned: readonly PlannedScope[],
): Promise<OpenOutcome> {
  const needs = planned[0]?.needs ?? null
  const scopes = () => planned.map((each) => newScope(context, parent, each))
  const waitMs = Math.max(...planned.map(({ spec }) => spec.waitMs ?? context.waitMs))
  const attempt = async (patient: boolean): Promise<OpenOutcome> => {
    const blocked = parent === null ? null : blockOnPath(parent, { isChild: true })
    if (blocked !== null) return { kind: 'refused', mayFitLater: false, breaches: blocked }
    try {
      return await underLivingHolder(context, () => {
        const request = { parentId: parent?.id ?? null, scopes: scopes(), atMs: context.clock.wallMs() }
        if (needs === null || parent === null) return context.store.open(request)
        return openWithin(parent, { ...request, needs }, patient)
      })
    } catch (error) {
      if (isPassing(error)) closeLater(context, planned)
      throw error
    }
  }
  const shortOf = (outcome: OpenOutcome): Breaches | null =>
    outcome.kind === 'refused' && outcome.mayFitLater ? outcome.breaches : null

  const meters: readonly Meter[] = ['concurrency', ...(Object.keys(needs ?? {}) as Meter[])]
  const ask = { lane: 'open', scopes: parent === null ? [] : [parent.id], meters } as const
  const since = context.line.moment
  const ahead = waitMs > 0 ? context.line.ahead(ask) : null
  const first: OpenOutcome =
    ahead === null ? await attempt(waitMs > 0) : { kind: 'refused', mayFitLater: true, breaches: ahead }
  const short = shortOf(first)
  const hasPlace = parent !== null && parent.queued + planned.length <= context.queueLength
  if (short === null || waitMs === 0 || !hasPlace) return first
  parent.queued += planned.length
  try {
    const path = parent.pathIds
    const signals = [parent.work.signal, ...planned.flatMap(({ spec }) => spec.signal ?? [])]
    return await waitInLine({ ...ask, context, path, signals, waitMs, since, attempt, shortOf }, short)
  } finally {
    parent.queued -= planned.length
  }
}

/** A planned scope as the store opens it: under the current holder. */
export function newScope(
  context: GovernorContext,
  parent: ScopeRuntime | null,
  { id, kind, spec, resolved, isQueued = false, takesOver = false }: PlannedScope,
): NewScope {
  const owner = kind === 'lasting' ? null : context.holder
  const { limits, ceilings } = resolved
  const how = { ...(isQueued ? { isQueued } : {}), ...(takesOver ? { takesOver } : {}) }
  const about = aboutOf(context, parent, kind, spec)
  return { id, name: spec.name, kind, limits, ceilings, owner, labels: labelsOf(spec), ...about, ...how }
}

/**
 * If the answer is lost they may be open, and generated ids are known nowhere else, so they would never be closed. A
 * scope with a given id is found when it is opened again.
 */
function closeLater({ clock, pendingWrites, store }: GovernorContext, planned: readonly PlannedScope[]): void {
  for (const { id: scopeId, spec } of planned) {
    if (spec.id !== undefined) continue
    pendingWrites.add(() => store.close({ scopeId, status: 'stopped', atMs: clock.wallMs() }))
  }
}

/**
 * Admits them alongside those that were admitted before and have not reserved yet. A caller that does not wait takes
 * its chance.
 */
async function openWithin(
  parent: ScopeRuntime,
  request: OpenRequest & { readonly needs: Amounts },
  patient: boolean,
): Promise<OpenOutcome> {
  const { needs, scopes } = request
  const promised = patient ? promisedOnPath(parent, needs) : {}
  const takeBack = promiseNeeds(parent, needs, scopes.length)
  try {
    const outcome = await parent.context.store.open({ ...request, promised })
    if (outcome.kind !== 'opened') takeBack()
    return outcome
  } catch (error) {
    takeBack()
    throw error
  }
}

/** For each meter the most that one of them needs, so that whichever comes first finds it. */
export function largestNeeds(specs: readonly OpenSpec[]): Amounts | null {
  const given = specs.flatMap(({ needs }) => (needs === undefined ? [] : [needs]))
  if (given.length === 0) return null
  const needs: Partial<Record<CounterMeter, number>> = {}
  for (const each of given) {
    assertAmounts('open({ needs })', each)
    vectorFromAmounts(each, 'open({ needs })')
    for (const [meter, amount] of Object.entries(each) as [CounterMeter, number][]) {
      needs[meter] = Math.max(needs[meter] ?? 0, amount)
    }
  }
  return needs
}

/** Reports the refusal of children, and returns the error for the caller. */
export function refuseChildren(
  parent: ScopeRuntime,
  planned: readonly PlannedScope[],
  breaches: Breaches,
): LimitExceededError {
  const { hub, clock } = parent.context
  const [breach] = breaches
  const moment = { event: 'spawn_refused', atMs: clock.wallMs() } as const
  const subject = subjectOf(ownerOf(parent, breach.scope))
  const names = planned.map(({ spec }) => spec.name)
  const children = planned.length
  hub.emit({ ...limitEventFromBreach(moment, subject, breach), child_name: names[0] ?? '', children })
  const places = breach.meter === 'concurrency' ? ` (${breach.settled} running, ${parent.queued} queued)` : ''
  const who = children === 1 ? `"${names[0]}" was` : `${children} children ("${names[0]}" and others) were`
  const [first, ...others] = breaches.map((each) => ({ ...each, message: messageForChild(each) }))
  const message = `${who} not opened below "${parent.path}"${places}. ${first!.message}`
  return new LimitExceededError([{ ...first!, message }, ...others])
}
