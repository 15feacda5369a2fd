import { catchUp } from './catch-up.ts'
import { createFoundRuntime } from './create-runtime.ts'
import type { GovernorContext, ScopeRuntime } from './scope-runtime.ts'

/** A scope of the store, whoever runs it, as it stands now; `null` if there is none with this id. */
export async function findScope(context: GovernorContext, id: string): Promise<ScopeRuntime | null> {
  const { clock, living, store } = context
  const known = living.get(id)
  if (known !== undefined) {
    if (store.isShared) await catchUp(known)
    return known
  }
  const readings = await store.read({ scopeId: id, atMs: clock.wallMs() })
  if (readings === null) return null
  let found: ScopeRuntime | null = null
  for (const reading of readings) found = living.get(reading.id) ?? createFoundRuntime(context, found, reading)
  return found
}
