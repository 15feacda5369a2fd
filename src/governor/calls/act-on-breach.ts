import { increaseFor } from '../../core/decide/increase-for.ts'
import { type Breach, type Breaches, isElasticMeter } from '../../core/index.ts'
import { countWait } from '../scope/clocks/activity.ts'
import { keepAlive } from '../scope/clocks/keep-alive.ts'
import { haltAdmission } from '../scope/halt-scope.ts'
import { ScopeClosedError } from '../scope/scope-closed-error.ts'
import { isLiving, type ScopeRuntime } from '../scope/scope-runtime.ts'
import { answerOf, askForIncrease } from '../steering/ask-for-increase.ts'
import { pauseScope } from '../steering/pause-and-resume.ts'
import { pauseForAnswer } from '../steering/pause-for-answer.ts'

/**
 * What a scope does when one of its limits refuses a call of its own or of a scope below. Only the scope that has the
 * limit acts. A lasting scope has no loop, and another process's scope has none here, so there the refused run acts.
 * `isFirst`: a conversation was not admitted alongside others, which continue. `true`: the limit was raised, so ask
 * again.
 */
export async function actOnBreach(
  runtime: ScopeRuntime,
  breaches: Breaches,
  { asker, isFirst = false }: { readonly asker?: AbortSignal | undefined; readonly isFirst?: boolean } = {},
): Promise<boolean> {
  const [breach] = breaches
  const isTurnedAway = isFirst && breach.action === 'terminate' && isElasticMeter(breach.meter)
  // The program may retry, and there may be room by then.
  if (isTurnedAway && runtime.closing.runsElsewhere) return false
  const owner = isTurnedAway ? runtime : ownerOfBreach(runtime, breach)
  const { halt, pause } = owner.life
  if (halt !== null) return false
  // Paused without a request: the person who resumes it decides.
  if (pause !== null && pause.request === null) return false
  if (breach.action === 'ask') return askAndWait(runtime, owner, breaches, asker)
  // A budget has no loop: only this call is refused, and the next one may fit.
  if (owner.kind === 'lasting') return false
  if (breach.action === 'pause') await pauseScope(owner, { breaches, reason: breach.message })
  else haltAdmission(owner, breaches)
  return false
}

/** The scope whose loop handles a breach: our outermost scope at or below the one that has the limit. */
export function ownerOfBreach(runtime: ScopeRuntime, breach: Breach): ScopeRuntime {
  const { rootToSelf } = runtime
  const breached = rootToSelf.findIndex(({ id }) => id === breach.scope)
  // Never a scope above it: an inner scope's limit ends nothing outside.
  return rootToSelf.slice(Math.max(0, breached)).find(({ life }) => life.isOwned) ?? runtime
}

/** Pauses the owner until the request is answered or expires after an hour; the refused caller waits as long. */
async function askAndWait(
  runtime: ScopeRuntime,
  owner: ScopeRuntime,
  breaches: Breaches,
  asker: AbortSignal | undefined,
): Promise<boolean> {
  const [breach] = breaches
  const holder = runtime.rootToSelf.find(({ id }) => id === breach.scope) ?? owner
  const limit = holder.limits.find(({ meter, per }) => meter === breach.meter && per === breach.per)
  if (limit === undefined) {
    if (owner.kind !== 'lasting') haltAdmission(owner, breaches)
    return false
  }
  // The scope ended before the refusal arrived: there is nothing left to raise.
  if (!isLiving(owner)) throw new ScopeClosedError(owner.id)
  const ask = { asked: increaseFor(breach), mayBeCut: true, settled: breach.settled, reason: breach.message }
  const increase = await askForIncrease(holder, limit, ask)
  if (increase === null) throw new ScopeClosedError(holder.id)
  if (owner.kind !== 'lasting') {
    await pauseForAnswer(owner, increase, breaches, { onDenied: () => haltAdmission(owner, breaches) })
  }
  const letGo = keepAlive(runtime.context.clock)
  countWait(runtime.activity, 1)
  try {
    return await answerOf(increase, [runtime.work.signal, asker])
  } finally {
    letGo()
    countWait(runtime.activity, -1)
  }
}
