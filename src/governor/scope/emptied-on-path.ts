import { type Breach, describeBreach, isEnforced, type Meter } from '../../core/index.ts'
import type { ScopeRuntime } from './scope-runtime.ts'

/**
 * The outermost limit of these meters that is spent, as the breach that one more would be; `null` while there is none.
 * What is reserved or held may come back: the very call that a client counts tokens for may have reserved the rest.
 * Asks for nothing, so that nothing becomes of it.
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
