import { randomUUID } from 'node:crypto'
import {
  assertKnownOptions,
  assertStorableText,
  assertWholeNumber,
  type CreateId,
  createAgingMap,
  InvalidOptionError,
  optionNames,
  ScopeExistsError,
} from '../core/index.ts'
import { DEFAULT_PRICE_BOOK } from '../pricing/index.ts'
import { createMemoryStore } from '../stores/memory/index.ts'
import { createSystemClock, describeHolder, isHolderAlive, timeOrderedIds } from '../system/index.ts'
import { createPendingWrites } from './calls/pending-writes.ts'
import { assertWait } from './calls/waiting/assert-wait.ts'
import { createWaitingLine } from './calls/waiting/waiting-line.ts'
import { createEventHub } from './events/event-hub.ts'
import type { Governor, GovernorOptions, Scope } from './governor.ts'
import { currentPlace } from './scope/current-scope.ts'
import { detachScope } from './scope/detach-scope.ts'
import { endScope } from './scope/end-scope.ts'
import { findScope } from './scope/find-scope.ts'
import { statusAtEnd } from './scope/lifecycle.ts'
import { openBelowBudgets } from './scope/open/open-below-budgets.ts'
import { openScope } from './scope/open/open-scope.ts'
import { assertOpenSpec } from './scope/open/open-spec.ts'
import { BY, handleOf } from './scope/scope-handle.ts'
import type { GovernorContext, ScopeRuntime } from './scope/scope-runtime.ts'
import { answerRequest } from './steering/answer-request.ts'
import { followStore } from './steering/follow-store.ts'
import { requestFromRecord } from './steering/increase.ts'
import { setLimits } from './steering/set-limits.ts'

const DEFAULT_WAIT_MS = 10 * 60_000
const DEFAULT_QUEUE_LENGTH = 100
const DEFAULT_GRACE_MS = 5_000
const DEFAULT_MOST_REFUSALS = 20
// How long a closing governor waits for busy listeners.
const DRAIN_MS = 5_000
// More scopes than can end during one store request.
const MOST_ENDED_LATELY = 1_000

const GOVERNOR_OPTIONS = optionNames<GovernorOptions>({
  store: true,
  prices: true,
  clock: true,
  createId: true,
  onEvent: true,
  waitMs: true,
  graceMs: true,
  queueLength: true,
  mostRefusals: true,
  holder: true,
  isHolderAlive: true,
  history: true,
})
const HISTORY_OPTIONS = optionNames<NonNullable<GovernorOptions['history']>>({ commands: true })
const BUDGET_OPTIONS = optionNames<NonNullable<Parameters<Governor['budget']>[1]>>({ limits: true })
const APPROVE_OPTIONS = optionNames<NonNullable<Parameters<Governor['approve']>[1]>>({ amount: true, by: true })

/** Creates a governor, the entry point of the library. Without options it uses memory and the system clock. */
export function createGovernor(options: GovernorOptions = {}): Governor {
  const context = contextFrom(options)
  const { hub, living } = context
  if (options.onEvent !== undefined) hub.on(options.onEvent)
  const stopAlerts = context.store.onAlert(hub.emit)
  // A store that isn't shared can't change under us.
  const following = context.store.isShared ? followStore(context) : null
  return {
    async open(spec) {
      assertOpenSpec(spec)
      return handleOf(await openBelowBudgets(context, parentOf(context, spec.within), spec))
    },
    async budget(key, options = {}) {
      assertKnownOptions('governor.budget', options, BUDGET_OPTIONS)
      const { limits } = options
      const known = living.get(key)
      if (known !== undefined && known.kind !== 'lasting') throw new ScopeExistsError(key)
      const spec = limits === undefined ? { name: key, id: key } : { name: key, id: key, limits }
      const runtime = known ?? (await findBudget(context, key)) ?? (await openScope(context, null, spec, 'lasting'))
      // It may have existed before, with other limits.
      if (limits !== undefined)
        await setLimits(runtime, limits, { by: null, call: 'governor.budget', keepsPresent: true })
      return handleOf(runtime)
    },
    async find(id) {
      const runtime = await findScope(context, id)
      return runtime === null ? null : handleOf(runtime)
    },
    current() {
      const scope = currentIn(context)
      return scope === null ? null : handleOf(scope)
    },
    requests: async () => (await context.store.requests({ status: 'open' })).map(requestFromRecord),
    async approve(requestId, options = {}) {
      assertKnownOptions('governor.approve', options, APPROVE_OPTIONS)
      const { amount, by = null } = options
      return answerRequest(context, { requestId, verdict: 'approved', by, ...(amount === undefined ? {} : { amount }) })
    },
    async deny(requestId, options = {}) {
      assertKnownOptions('governor.deny', options, BY)
      return answerRequest(context, { requestId, verdict: 'denied', by: options.by ?? null })
    },
    on: hub.on,
    async close() {
      context.isClosed = true
      await following?.stop()
      const failures: unknown[] = []
      for (const runtime of [...living.values()].filter(({ life }) => life.isOwned)) {
        await leave(runtime).catch((error) => failures.push(error))
      }
      for (const { cancelExpiry } of context.increases.values()) cancelExpiry()
      context.increases.clear()
      await context.pendingWrites.close().catch((error) => failures.push(error))
      stopAlerts()
      await hub.drain(DRAIN_MS)
      hub.close()
      living.clear()
      if (failures.length > 0) throw failures[0]
    },
  }
}

/** A budget in the store, e.g. that of a user within a team. An id of another kind is refused when it is opened. */
async function findBudget(context: GovernorContext, key: string): Promise<ScopeRuntime | null> {
  const found = context.isClosed ? null : await findScope(context, key)
  return found?.kind === 'lasting' ? found : null
}

/** The scope of this governor whose call is running here. */
function currentIn(context: GovernorContext): ScopeRuntime | null {
  const place = currentPlace()
  return place === null || place.scope.context !== context ? null : place.scope
}

/** Ends a run; one that is paused in a shared store can be resumed there. */
function leave(runtime: ScopeRuntime): Promise<void> {
  const reason = 'the governor was closed'
  if (runtime.context.store.isShared && runtime.life.pause !== null) return detachScope(runtime, reason)
  const { halt, stoppedBy } = runtime.life
  const isAtLimit = (halt ?? stoppedBy) !== null
  return endScope(runtime, isAtLimit ? statusAtEnd(runtime.life) : 'stopped', reason)
}

function contextFrom(options: GovernorOptions): GovernorContext {
  assertKnownOptions('createGovernor', options, GOVERNOR_OPTIONS)
  const { waitMs = DEFAULT_WAIT_MS, queueLength = DEFAULT_QUEUE_LENGTH, graceMs = DEFAULT_GRACE_MS } = options
  const { mostRefusals = DEFAULT_MOST_REFUSALS } = options
  assertKnownOptions('createGovernor({ history })', options.history ?? {}, HISTORY_OPTIONS)
  assertWait('waitMs', waitMs)
  assertWait('graceMs', graceMs)
  assertWholeNumber('queueLength', queueLength, 0, Number.MAX_SAFE_INTEGER)
  assertWholeNumber('mostRefusals', mostRefusals, 1, Number.MAX_SAFE_INTEGER)
  const clock = options.clock ?? createSystemClock()
  const createId = options.createId === undefined ? randomUUID : checked(options.createId)
  const store = options.store ?? createMemoryStore()
  const createHolder = holdersFrom(options.holder, store.isShared ? () => describeHolder() : createId)
  return {
    store,
    clock,
    createId,
    createReservationId: options.createId === undefined ? timeOrderedIds(clock) : createId,
    hub: createEventHub({ clock }),
    line: createWaitingLine(),
    holder: createHolder(),
    createHolder,
    adopting: Promise.resolve(),
    isHolderAlive: options.isHolderAlive ?? isHolderAlive,
    keepsCommands: options.history?.commands !== false,
    waitMs,
    graceMs,
    queueLength,
    mostRefusals,
    prices: options.prices ?? DEFAULT_PRICE_BOOK,
    living: new Map(),
    endedLately: createAgingMap(MOST_ENDED_LATELY),
    increases: new Map(),
    asking: new Map(),
    pendingWrites: createPendingWrites(clock),
    onMove: new Set(),
    isClosed: false,
  }
}

/** The holder name of this governor, and its next one each time it is declared dead. */
function holdersFrom(given: GovernorOptions['holder'], otherwise: () => string): () => string {
  let lives = 0
  return () => {
    lives++
    if (given === undefined) return otherwise()
    const holder = typeof given === 'function' ? given() : lives === 1 ? given : `${given} (${lives})`
    assertStorableText(holder, 'createGovernor({ holder })')
    return holder
  }
}

/** Ids from the program's generator, each validated before anything is stored under it. */
function checked(createId: CreateId): CreateId {
  return () => {
    const id = createId()
    assertStorableText(id, 'createGovernor({ createId })()')
    return id
  }
}

function parentOf(context: GovernorContext, within: Scope | null | undefined): ScopeRuntime | null {
  if (within === null) return null
  if (within === undefined) return currentIn(context)
  const runtime = context.living.get(within.id)
  if (runtime === undefined) {
    throw new InvalidOptionError('open({ within })', within.id, 'a scope that this governor has open')
  }
  return runtime
}
