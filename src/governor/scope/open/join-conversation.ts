import { hash } from 'node:crypto'
import { assertKnownOptions, isEnded, isStintError, type OpenOutcome, optionNames } from '../../../core/index.ts'
import { continueConversation } from '../../calls/wrap-up/roaming-conversation.ts'
import { emitCrossings } from '../../events/emit.ts'
import { emitOpened } from '../../events/emit-opened.ts'
import type { ChildSpec } from '../../governor.ts'
import { followLimits } from '../../steering/apply-limits.ts'
import { catchUp } from '../../steering/catch-up.ts'
import { ScopePausedError } from '../../steering/scope-paused-error.ts'
import { underLivingHolder } from '../../steering/take-new-holder.ts'
import { changeLifecycle } from '../change-lifecycle.ts'
import { ScopeClosedError } from '../scope-closed-error.ts'
import { isLiving, type ScopeRuntime } from '../scope-runtime.ts'
import { admitChildren, newScope, type PlannedScope, refuseChildren } from './admit-children.ts'
import { createFoundRuntime, createRuntime, makeOwned } from './create-runtime.ts'
import { endedAbove } from './open-scope.ts'
import { resolveSpec } from './resolve-spec.ts'

/** A conversation that any process on the ledger may serve. */
export interface ConversationSpec extends Pick<ChildSpec, 'name' | 'agentType' | 'about'> {
  /** Identifies it below its parent, in every process. */
  readonly key: string
  /** How many scopes of this conversation have ended, as far as the caller knows. */
  readonly ended?: number
}

export interface JoinedConversation<Joined> {
  readonly scope: Joined
  /** How many earlier scopes of this conversation have ended. */
  readonly ended: number
  /** What the process that had it last has kept; `null` if nothing; `undefined` if it was this process. */
  readonly learned: string | null | undefined
}

const SPEC = optionNames<ConversationSpec>({ key: true, name: true, agentType: true, about: true, ended: true })

// Each try means that another scope of the conversation has ended meanwhile.
const MOST_TRIES = 20
const ID_LENGTH = 32

/**
 * Opens the scope of a conversation, or takes it over from the process that had its last request, so that it is one
 * scope with one hold. If its gateway has ended that scope, the conversation continues in another one; if a person
 * stopped it, it is over.
 */
export async function joinConversation(
  parent: ScopeRuntime,
  spec: ConversationSpec,
): Promise<JoinedConversation<ScopeRuntime>> {
  assertKnownOptions('joinConversation', spec, SPEC)
  const { store } = parent.context
  const prefix = hash('sha256', `${parent.id}\n${spec.key}`, 'hex').slice(0, ID_LENGTH)
  let { ended = 0 } = spec
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const id = `${prefix}-${ended + 1}`
    const joined = await joinAs(parent, spec, id)
    if (joined !== null) return { ...joined, ended }
    const count = await store.count({ standing: 'ended', idPrefix: `${prefix}-` })
    // The last of those may be one that a person stopped.
    ended = Math.max(ended + 1, count - 1)
  }
  throw new ScopeClosedError(`${prefix}-${ended + 1}`)
}

type Joined = Omit<JoinedConversation<ScopeRuntime>, 'ended'>

/** `null`: its scope has ended. */
async function joinAs(
  parent: ScopeRuntime,
  { key: _, ended: __, ...spec }: ConversationSpec,
  id: string,
): Promise<Joined | null> {
  const { context } = parent
  const resolved = resolveSpec(spec, 'agent')
  const planned: PlannedScope = { id, kind: 'agent', spec, resolved, needs: null, takesOver: true }
  const outcome = await openByAnyName(parent, planned)
  if (outcome.kind === 'closed') return endedAs(parent, outcome.scopeId, id)
  if (outcome.kind === 'paused') throw new ScopePausedError(outcome.scopeId)
  if (outcome.kind === 'refused') throw refuseChildren(parent, [planned], outcome.breaches)
  const over = endedAbove(context, parent)
  if (over !== null) throw over
  if (outcome.created.includes(id)) {
    const runtime = createRuntime(context, parent, planned)
    runtime.roaming = { document: null }
    emitOpened(runtime)
    emitCrossings(runtime, outcome.crossings)
    return { scope: runtime, learned: undefined }
  }
  const known = context.living.get(id)
  const isStillOurs = known?.life.isOwned === true && !outcome.adopted.includes(id)
  return isStillOurs ? { scope: known, learned: undefined } : takeUp(parent, id)
}

/** It keeps the name that its first request gave it. */
async function openByAnyName(parent: ScopeRuntime, planned: PlannedScope): Promise<OpenOutcome> {
  const { clock, store } = parent.context
  try {
    return await open(parent, planned)
  } catch (error) {
    if (!isStintError(error, 'scope_exists')) throw error
    const reading = (await store.read({ scopeId: planned.id, atMs: clock.wallMs() }))?.at(-1)
    if (reading === undefined || reading.parentId !== parent.id) throw error
    return open(parent, { ...planned, spec: { ...planned.spec, name: reading.name } })
  }
}

/** Whatever is open is taken over without admission; a new scope may have to wait, or a person is asked. */
async function open(parent: ScopeRuntime, planned: PlannedScope): Promise<OpenOutcome> {
  const { context } = parent
  const { clock, store } = context
  const outcome = await underLivingHolder(context, () =>
    store.open({ parentId: parent.id, scopes: [newScope(context, parent, planned)], atMs: clock.wallMs() }),
  )
  return outcome.kind === 'refused' ? admitChildren(context, parent, [planned]) : outcome
}

/** Continues it here, as the process before has left it. */
async function takeUp(parent: ScopeRuntime, id: string): Promise<Joined> {
  const { context } = parent
  const { clock, living, store } = context
  const [readings, document] = await Promise.all([
    store.read({ scopeId: id, atMs: clock.wallMs() }),
    store.document({ scopeId: id }),
  ])
  const reading = readings?.at(-1)
  if (reading === undefined || isEnded(reading.status)) throw new ScopeClosedError(id)
  let runtime = living.get(id)
  if (runtime === undefined) runtime = createFoundRuntime(context, parent, reading)
  else {
    await followLimits(runtime, reading, null, false)
    if (!isLiving(runtime)) throw new ScopeClosedError(id)
    if (runtime.life.isOwned) changeLifecycle(runtime, { kind: 'adopted', holder: context.holder })
    else makeOwned(runtime, reading)
    await catchUp(runtime)
  }
  return { scope: runtime, learned: continueConversation(runtime, document) }
}

/** What a person has stopped stays over; what a gateway has ended continues in another scope. */
async function endedAs({ context }: ScopeRuntime, closedId: string, id: string): Promise<null> {
  const { clock, living, store } = context
  if (closedId !== id) throw new ScopeClosedError(closedId)
  const known = living.get(id)
  if (known !== undefined) await catchUp(known)
  const reading = (await store.read({ scopeId: id, atMs: clock.wallMs() }))?.at(-1)
  if (reading?.status === 'stopped') throw new ScopeClosedError(id)
  return null
}
