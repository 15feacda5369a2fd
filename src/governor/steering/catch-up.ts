import { type EndStatus, isEnded, type ScopeReading } from '../../core/index.ts'
import { changeLifecycle } from '../scope/change-lifecycle.ts'
import { detachScope } from '../scope/detach-scope.ts'
import { endHere } from '../scope/end-scope.ts'
import { handOver } from '../scope/hand-over.ts'
import { isLiving, type ScopeRuntime } from '../scope/scope-runtime.ts'
import { followLimits } from './apply-limits.ts'
import { followResume, pauseHere, payResume } from './pause-and-resume.ts'
import { takeNewHolder } from './take-new-holder.ts'

// Each round means that the scope changed here while the store was read.
const MOST_ROUNDS = 10

/**
 * Brings a scope here up to date with the store, where another process may have paused, resumed, raised or ended it.
 */
export async function catchUp(runtime: ScopeRuntime, by: string | null = null): Promise<void> {
  const { clock, store } = runtime.context
  for (let round = 0; round < MOST_ROUNDS && isLiving(runtime); round++) {
    await runtime.steering.underway
    const { moves } = runtime.life
    const reading = (await store.read({ scopeId: runtime.id, atMs: clock.wallMs() }))?.at(-1)
    // The scope ended here while the store was read: an old reading must not bring it back.
    if (reading === undefined || !isLiving(runtime)) return
    if (runtime.life.moves !== moves) continue
    await follow(runtime, reading, by)
    // The effects of the limits may have outdated the reading.
    if (runtime.life.moves === moves) return
  }
}

async function follow(runtime: ScopeRuntime, reading: ScopeReading, by: string | null): Promise<void> {
  const { context } = runtime
  changeLifecycle(runtime, { kind: 'owner-read', owner: reading.owner })
  if (reading.status === 'running') changeLifecycle(runtime, { kind: 'begun' })
  const { isOwned, owner, pause } = runtime.life
  if (isEnded(reading.status)) return endHere(runtime, reading.status as EndStatus, 'ended by another process')
  if (isOwned && reading.isOrphaned && reading.owner === owner) {
    // Another process declared us dead: the scope is adopted again, or released.
    return takeNewHolder(context, reading.owner ?? context.holder)
  }
  if (isOwned && runtime.roaming !== null && reading.owner !== context.holder) handOver(runtime, reading.owner)
  else if (isOwned && (reading.owner !== context.holder || reading.isOrphaned)) {
    return detachScope(runtime, `"${runtime.path}" continues in another process`, 'detached')
  }
  if (reading.revision > runtime.revision) return followLimits(runtime, reading, by, runtime.life.isOwned)
  if (reading.pause !== null && runtime.steering.owedResume !== null) return payResume(runtime)
  if (reading.pause !== null) followPause(runtime, reading)
  else if (pause !== null && reading.status === 'running') await followResume(runtime, by)
}

function followPause(runtime: ScopeRuntime, { pause }: ScopeReading): void {
  const { pause: ours, isOwned } = runtime.life
  if (pause === null) return
  if (ours !== null && (ours.request === null || pause.requestId !== null)) return
  pauseHere(runtime, { breaches: pause.breaches, request: pause.requestId, reason: pause.reason }, isOwned)
}
