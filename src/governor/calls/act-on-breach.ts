import { increaseFor } from '../../core/increase-for.ts'
import { type Breach, type Breaches, isElasticMeter } from '../../core/index.ts'
import { countWait } from '../scope/activity.ts'
import { haltAdmission } from '../scope/halt-scope.ts'
import { keepAlive } from '../scope/keep-alive.ts'
import { ScopeClosedError } from '../scope/scope-closed-error.ts'
import { isLiving, type ScopeRuntime } from '../scope/scope-runtime.ts'
import { answerOf, askForIncrease } from '../steering/ask-for-increase.ts'
import { pauseForAnswer } from '../steering/pause-for-answer.ts'
import { pauseScope } from '../steering/pause-scope.ts'

/**
 * What a scope does when a call of it, or below it, is refused by one of its limits. Only the scope whose limit it is
 * acts; a lasting one has nobody who runs it, and another process's has nobody here, so the run that it refused does.
 * `isFirst`: a conversation was not admitted beside others, which go on. `true`: there is more now, ask again.
 */
export async function actOnBreach(
  runtime: ScopeRuntime,
  breaches: Breaches,
  { asker, isFirst = false }: { readonly asker?: AbortSignal | undefined; readonly isFirst?: boolean } = {},
): Promise<boolean> {
  const [breach] = breaches
  const isTurnedAway = isFirst && breach.action === 'terminate' && isElasticMeter(breach.meter)
  // Its program may come again, and there may be room for it then.
  if (isTurnedAway && runtime.closing.runsElsewhere) return false
  const owner = isTurnedAway ? runtime : ownerOfBreach(runtime, breach)
  const { halt, pause } = owner.life
  if (halt !== null) return false
  // Paused without a question: whoever resumes it decides what becomes of it.
  if (pause !== null && pause.request === null) return false
  if (breach.action === 'ask') return askAndWait(runtime, owner, breaches, asker)
  // Nobody runs a budget: whoever asked is refused, and the next may have more luck.
  if (owner.kind === 'lasting') return false
  if (breach.action === 'pause') await pauseScope(owner, { breaches, reason: breach.message })
  else haltAdmission(owner, breaches)
  return false
}

/** The scope whose loop handles a breach: the outermost of ours at or below the scope whose limit it is. */
export function ownerOfBreach(runtime: ScopeRuntime, breach: Breach): ScopeRuntime {
  const { rootToSelf } = runtime
  const breached = rootToSelf.findIndex(({ id }) => id === breach.scope)
  // Never one above it: a limit of an inner scope ends nothing outside.
  return rootToSelf.slice(Math.max(0, breached)).find(({ life }) => life.isOwned) ?? runtime
}

/** The owner is paused until somebody answers, or nobody has for an hour; whoever was refused waits as long. */
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
  // It ended while the refusal was on its way: there is nobody to be given more.
  if (!isLiving(owner)) throw new ScopeClosedError(owner.id)
  const ask = { asked: increaseFor(breach), mayBeCut: true, settled: breach.settled, reason: breach.message }
  const increase = await askForIncrease(holder, limit, ask)
  if (increase === null) throw new ScopeClosedError(holder.id)
  if (owner.kind !== 'lasting') {
    await pauseForAnswer(owner, increase, breaches, () => haltAdmission(owner, breaches))
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
