import { clockReading, type Limit, type LimitReading, type ScopeReading, zeroVector } from '../../../core/index.ts'
import type { Standing } from '../../hints/index.ts'
import type { ScopeRuntime } from '../scope-runtime.ts'

/** The state of every limit from the root down to this scope; clocks are read directly. */
export async function standingsOnPath(runtime: ScopeRuntime): Promise<readonly Standing[]> {
  const { store, clock } = runtime.context
  const readings = (await store.read({ scopeId: runtime.id, atMs: clock.wallMs() })) ?? []
  runtime.known = { readings: readings.at(-1)?.limits ?? [], since: zeroVector() }
  const standings: Standing[] = []
  for (const scope of readings) {
    let living: ScopeRuntime | undefined
    for (const each of runtime.rootToSelf) if (each.id === scope.id) living = each
    for (const reading of scope.limits) standings.push(standingOf(scope, reading, living))
  }
  return standings
}

interface KnownLimits {
  readonly ofEach: readonly (readonly Limit[])[]
  readonly all: readonly Limit[]
}

const KNOWN = new WeakMap<ScopeRuntime, KnownLimits>()

/** The limits of the whole path, root first: the same list until one of them changes. */
export function limitsOnPath(runtime: ScopeRuntime): readonly Limit[] {
  const { rootToSelf } = runtime
  const known = KNOWN.get(runtime)
  let isKnown = known !== undefined
  for (let depth = 0; depth < rootToSelf.length && isKnown; depth++) {
    isKnown = rootToSelf[depth]!.limits === known!.ofEach[depth]
  }
  if (isKnown) return known!.all
  const ofEach = rootToSelf.map(({ limits }) => limits)
  const all = Object.freeze(ofEach.flat())
  KNOWN.set(runtime, { ofEach, all })
  return all
}

function standingOf(scope: ScopeReading, reading: LimitReading, living: ScopeRuntime | undefined): Standing {
  const { meter, max, action, per } = reading.limit
  const usedMs = clockReading(scope, meter, living?.life.isOwned === true ? living.clocks : null)
  const settled = usedMs ?? reading.settled
  const remaining = usedMs === null ? reading.remaining : Math.max(0, max - usedMs)
  const { reserved, held } = reading
  return { meter, limit: max, settled, reserved, held, remaining, action, per, scopePath: scope.path }
}
