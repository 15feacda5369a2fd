import { type EndStatus, isEnded, type ScopeReading } from '../../core/index.ts'
import { endHere } from '../scope/end-scope.ts'
import { letGo } from '../scope/let-go.ts'
import { isLiving, type ScopeRuntime } from '../scope/scope-runtime.ts'
import { followLimits } from './apply-limits.ts'
import { followResume, pauseHere, payResume } from './pause-scope.ts'
import { takeNewHolder } from './take-new-holder.ts'

// Each round, it moved here while the store was read.
const MOST_ROUNDS = 10

/** Makes a scope here what it is in the store, where somebody else may have paused, resumed, raised or ended it. */
export async function catchUp(runtime: ScopeRuntime, by: string | null = null): Promise<void> {
  const { clock, store } = runtime.context
  for (let round = 0; round < MOST_ROUNDS && isLiving(runtime); round++) {
    await runtime.underway
    const { moves } = runtime
    const reading = (await store.read({ scopeId: runtime.id, atMs: clock.wallMs() }))?.at(-1)
    // The scope ended here while the store was read: an old reading must not bring it back.
    if (reading === undefined || !isLiving(runtime)) return
    if (runtime.moves !== moves) continue
    await follow(runtime, reading, by)
    // What the limits set off may have made the reading old.
    if (runtime.moves === moves) return
  }
}

async function follow(runtime: ScopeRuntime, reading: ScopeReading, by: string | null): Promise<void> {
  const { context } = runtime
  if (!runtime.isOwned) runtime.owner = reading.owner
  if (isEnded(reading.status)) return endHere(runtime, reading.status as EndStatus, 'ended by somebody else')
  if (runtime.isOwned && reading.isOrphaned && reading.owner === runtime.owner) {
    // Somebody has declared us dead: it is adopted again, or let go of.
    return takeNewHolder(context, reading.owner ?? context.holder)
  }
  if (runtime.isOwned && (reading.owner !== context.holder || reading.isOrphaned)) {
    runtime.status = 'detached'
    return letGo(runtime, `"${runtime.path}" goes on in another process`)
  }
  if (reading.revision > runtime.revision) return followLimits(runtime, reading, by, runtime.isOwned)
  if (reading.pause !== null && runtime.owedResume !== null) return payResume(runtime)
  if (reading.pause !== null) followPause(runtime, reading)
  else if (runtime.pause !== null && reading.status === 'running') await followResume(runtime, by)
}

function followPause(runtime: ScopeRuntime, { pause }: ScopeReading): void {
  if (pause === null) return
  if (runtime.pause !== null && (runtime.pause.request === null || pause.requestId !== null)) return
  pauseHere(runtime, { breaches: pause.breaches, request: pause.requestId, reason: pause.reason }, runtime.isOwned)
}
