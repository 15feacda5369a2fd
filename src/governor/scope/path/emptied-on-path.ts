import { type Breach, describeBreach, isEnforced, type Meter } from '../../../core/index.ts'
import type { ScopeRuntime } from '../scope-runtime.ts'

/**
 * The outermost used-up limit on one of these meters, as the breach that one more would cause; `null` if there is none.
 * Reserved and held amounts do not count as used: the very call that a client counts tokens for may have reserved the
 * rest. Reserves nothing, so no limit acts.
 */
export async function emptiedOnPath(runtime: ScopeRuntime, meters: readonly Meter[]): Promise<Breach | null> {
  const { store, clock } = runtime.context
  for (const reading of (await store.read({ scopeId: runtime.id, atMs: clock.wallMs() })) ?? []) {
    for (const { limit, settled, reserved, held, remaining, resetsAt } of reading.limits) {
      if (settled < limit.max || !meters.includes(limit.meter) || !isEnforced(limit.action)) continue
      return describeBreach(reading, limit, { settled, reserved, held, remaining, resetsAt, asked: 1 })
    }
  }
  return null
}
