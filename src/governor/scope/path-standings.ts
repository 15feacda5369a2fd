import { clockReading, type Limit, type LimitReading, type ScopeReading } from '../../core/index.ts'
import type { Standing } from '../hints/index.ts'
import type { ScopeRuntime } from './scope-runtime.ts'

/** How every limit from the root down to this scope stands, the clocks by their own time. */
export async function standingsOnPath(runtime: ScopeRuntime): Promise<readonly Standing[]> {
  const { store, clock } = runtime.context
  const readings = (await store.read({ scopeId: runtime.id, atMs: clock.wallMs() })) ?? []
  runtime.known = { readings: readings.at(-1)?.limits ?? [], since: {} }
  return readings.flatMap((scope) => {
    const living = runtime.rootToSelf.find(({ id }) => id === scope.id)
    return scope.limits.map((reading) => standingOf(scope, reading, living))
  })
}

interface KnownLimits {
  readonly ofEach: readonly (readonly Limit[])[]
  readonly all: readonly Limit[]
}

const KNOWN = new WeakMap<ScopeRuntime, KnownLimits>()

/** The limits of the whole path, the root's first: the same list until one of them is written anew. */
export function limitsOnPath(runtime: ScopeRuntime): readonly Limit[] {
  const { rootToSelf } = runtime
  const known = KNOWN.get(runtime)
  if (known !== undefined && rootToSelf.every(({ limits }, depth) => limits === known.ofEach[depth])) return known.all
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
