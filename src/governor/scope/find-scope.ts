import { isEnded, type ScopeReading } from '../../core/index.ts'
import { catchUp } from '../steering/catch-up.ts'
import { createFoundRuntime, foundRuntime } from './open/create-runtime.ts'
import type { GovernorContext, ScopeRuntime } from './scope-runtime.ts'

/** A scope in the store in its current state, whichever process runs it; `null` if there is none with this id. */
export async function findScope(context: GovernorContext, id: string): Promise<ScopeRuntime | null> {
  const { living, store } = context
  const known = living.get(id)
  if (known !== undefined) {
    if (store.isShared) await catchUp(known)
    // Otherwise it has ended or continues elsewhere, and our copy is obsolete.
    if (living.get(id) === known) return known
  }
  return readScope(context, id, createFoundRuntime)
}

/** The same for a single look: nothing is kept here. */
export async function lookAtScope(context: GovernorContext, id: string): Promise<ScopeRuntime | null> {
  return context.living.get(id) ?? (await readScope(context, id, foundRuntime))
}

async function readScope(
  context: GovernorContext,
  scopeId: string,
  create: typeof createFoundRuntime,
): Promise<ScopeRuntime | null> {
  const { clock, living, store } = context
  const readings = await store.read({ scopeId, atMs: clock.wallMs() })
  if (readings === null) return null
  let found: ScopeRuntime | null = null
  for (const reading of readings) {
    found = living.get(reading.id) ?? create(context, found, asEndedHere(context, reading))
  }
  return found
}

/** A scope that ended here has ended, whatever the store still says. */
function asEndedHere({ endedLately }: GovernorContext, reading: ScopeReading): ScopeReading {
  const status = endedLately.get(reading.id)
  return status === undefined || isEnded(reading.status) ? reading : { ...reading, status, pause: null }
}
