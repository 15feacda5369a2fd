import type { Breach, Breaches } from '../core/index.ts'
import { answerOf, askForIncrease } from './ask-for-increase.ts'
import { haltAdmission } from './halt-scope.ts'
import { pauseScope, resumeScope } from './pause-scope.ts'
import type { ScopeRuntime } from './scope-runtime.ts'

/**
 * What a scope does when a call of it, or below it, is refused by one of its limits. Only the scope whose limit it is
 * acts; a lasting one has nobody who runs it, so the run that it refused does. `true`: there is more now, ask again.
 */
export async function actOnBreach(runtime: ScopeRuntime, breaches: Breaches): Promise<boolean> {
  const [breach] = breaches
  const owner = ownerOfBreach(runtime, breach)
  if (owner.halt !== null) return false
  if (breach.action === 'pause') {
    await pauseScope(owner, { breaches, reason: breach.message })
    return false
  }
  const isGranted = breach.action === 'ask' ? await askAndWait(runtime, owner, breaches) : false
  if (!isGranted) haltAdmission(owner, breaches)
  return isGranted
}

function ownerOfBreach(runtime: ScopeRuntime, breach: Breach): ScopeRuntime {
  const run = runtime.rootToSelf.find(({ kind }) => kind !== 'lasting') ?? runtime
  return runtime.rootToSelf.find(({ id, kind }) => id === breach.scope && kind !== 'lasting') ?? run
}

/** The scope is paused until somebody answers, or nobody has for an hour. */
async function askAndWait(runtime: ScopeRuntime, owner: ScopeRuntime, breaches: Breaches): Promise<boolean> {
  const [breach] = breaches
  const holder = runtime.rootToSelf.find(({ id }) => id === breach.scope) ?? owner
  const limit = holder.limits.find(({ meter, per }) => meter === breach.meter && per === breach.per)
  if (limit === undefined) return false
  const asked = Math.max(1, breach.asked - breach.remaining)
  const increase = askForIncrease(holder, limit, { asked, settled: breach.settled, reason: breach.message })
  await pauseScope(owner, { breaches, request: increase.request.id, reason: breach.message })
  const isGranted = await answerOf(increase, runtime.work.signal)
  if (increase.request.status === 'open') return false
  if (owner.pause?.request === increase.request.id) await resumeScope(owner, increase.request.by)
  return isGranted
}
