import { randomUUID } from 'node:crypto'
import { assertWholeNumber, InvalidOptionError } from '../core/index.ts'
import { createMemoryStore } from '../stores/memory/index.ts'
import { currentPlace } from './current-scope.ts'
import { endScope } from './end-scope.ts'
import { createEventHub } from './event-hub.ts'
import type { Governor, GovernorOptions, Scope } from './governor.ts'
import { statusAtEnd } from './halt-scope.ts'
import { openScope } from './open-scope.ts'
import { raiseLimits } from './raise-limits.ts'
import { handleOf } from './scope-handle.ts'
import type { GovernorContext, ScopeRuntime } from './scope-runtime.ts'
import { createSystemClock } from './system-clock.ts'
import { createWaitingLine } from './waiting-line.ts'

const DEFAULT_WAIT_MS = 10 * 60_000
const DEFAULT_QUEUE_LENGTH = 100
const MOST_WAIT_MS = 7 * 86_400_000
// How long a governor that is closed waits for listeners that are still busy.
const DRAIN_MS = 5_000

/** The front door of the library. Without options: in memory, with the system's clock. */
export function createGovernor(options: GovernorOptions = {}): Governor {
  const context = contextFrom(options)
  const { hub, living } = context
  if (options.onEvent !== undefined) hub.on(options.onEvent)
  return {
    open: async (spec) => handleOf(await openScope(context, parentOf(context, spec.within), spec, 'agent')),
    async budget(key, { limits } = {}) {
      const known = living.get(key)
      const spec = limits === undefined ? { name: key, id: key } : { name: key, id: key, limits }
      const runtime = known ?? (await openScope(context, null, spec, 'lasting'))
      if (known !== undefined && limits !== undefined) await raiseLimits(runtime, limits, null)
      return handleOf(runtime)
    },
    find(id) {
      const runtime = living.get(id)
      return runtime === undefined ? null : handleOf(runtime)
    },
    current() {
      const place = currentPlace()
      return place === null || place.scope.context !== context ? null : handleOf(place.scope)
    },
    on: hub.on,
    async close() {
      const runs = [...living.values()].filter(({ kind }) => kind !== 'lasting')
      for (const runtime of runs) await endScope(runtime, endOf(runtime), 'the governor was closed')
      await hub.drain(DRAIN_MS)
      hub.close()
      living.clear()
    },
  }
}

function endOf(runtime: ScopeRuntime) {
  return runtime.halt === null ? 'stopped' : statusAtEnd(runtime)
}

function contextFrom(options: GovernorOptions): GovernorContext {
  const { waitMs = DEFAULT_WAIT_MS, queueLength = DEFAULT_QUEUE_LENGTH } = options
  assertWholeNumber('waitMs', waitMs, 0, MOST_WAIT_MS)
  assertWholeNumber('queueLength', queueLength, 0, Number.MAX_SAFE_INTEGER)
  const clock = options.clock ?? createSystemClock()
  const createId = options.createId ?? randomUUID
  return {
    store: options.store ?? createMemoryStore(),
    clock,
    createId,
    hub: createEventHub({ clock }),
    line: createWaitingLine(),
    holder: options.holder ?? createId(),
    waitMs,
    queueLength,
    living: new Map(),
  }
}

function parentOf(context: GovernorContext, within: Scope | undefined): ScopeRuntime | null {
  if (within === undefined) return null
  const runtime = context.living.get(within.id)
  if (runtime === undefined) {
    throw new InvalidOptionError('open({ within })', within.id, 'a scope that this governor has open')
  }
  return runtime
}
