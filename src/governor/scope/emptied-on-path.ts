import { type Breach, describeBreach, InvalidOptionError, isEnforced, type Meter } from '../../core/index.ts'
import type { Scope } from '../governor.ts'
import { runtimeBehind } from './scope-handle.ts'

/**
 * The outermost limit of these meters that is spent, as the breach that one more would be; `null` while there is none.
 * What is reserved or held may come back: the very call that a client counts tokens for may have reserved the rest.
 * Asks for nothing, so that nothing becomes of it.
 */
export async function emptiedOnPath(scope: Scope, meters: readonly Meter[]): Promise<Breach | null> {
  const runtime = runtimeBehind(scope)
  if (runtime === null) throw new InvalidOptionError('emptiedOnPath(scope)', scope, 'a scope of a governor')
  const { store, clock } = runtime.context
  for (const reading of (await store.read({ scopeId: runtime.id, atMs: clock.wallMs() })) ?? []) {
    for (const { limit, settled, reserved, held, remaining, resetsAt } of reading.limits) {
      if (settled < limit.max || !meters.includes(limit.meter) || !isEnforced(limit.action)) continue
      return describeBreach(reading, limit, { settled, reserved, held, remaining, resetsAt, asked: 1 })
    }
  }
  return null
}
