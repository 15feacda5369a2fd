import { type EndStatus, isEnded, isStintError, type ScopeReading } from '../../core/index.ts'
import { changeLifecycle } from '../scope/change-lifecycle.ts'
import { detachScope } from '../scope/detach-scope.ts'
import { endHere } from '../scope/end-scope.ts'
import { handOver } from '../scope/hand-over.ts'
import { type GovernorContext, isLiving, type ScopeRuntime } from '../scope/scope-runtime.ts'

/**
 * Continues under a new holder after the old one was declared dead: what was settled under the old one still counts,
 * and nothing more is sent under it. Each of its runs is adopted again, or released if another process has it, it has
 * ended, or its slot was taken. Rethrows the store's errors; the remaining runs are adopted with the next poll.
 */
export async function takeNewHolder(context: GovernorContext, dead: string): Promise<void> {
  if (context.holder === dead) context.holder = context.createHolder()
  // One at a time, outermost first: a child finds its parent adopted, or over.
  const adopted = context.adopting.then(() => adoptAll(context))
  context.adopting = adopted.catch(() => {})
  await adopted
}

/** Asks the store, and again under a new holder if the current one was declared dead. */
export async function underLivingHolder<Outcome>(
  context: GovernorContext,
  ask: () => Promise<Outcome>,
): Promise<Outcome> {
  const { holder } = context
  try {
    return await ask()
  } catch (error) {
    if (!isStintError(error, 'holder_dead')) throw error
    await takeNewHolder(context, holder)
    return ask()
  }
}

async function adoptAll(context: GovernorContext): Promise<void> {
  for (const runtime of [...context.living.values()]) {
    const { isOwned, owner } = runtime.life
    if (isOwned && owner !== context.holder && isLiving(runtime)) await adoptAgain(runtime)
  }
}

async function adoptAgain(runtime: ScopeRuntime): Promise<void> {
  const { context, id, name, kind, parent, limits, resolved, closing, life } = runtime
  const { holdAsk } = closing
  const { clock, holder, store } = context
  // Another process that had it since, and also died, may have taken it further than we did.
  if ((await readAgain(runtime))?.owner !== runtime.life.owner) return letGoOf(runtime)
  // A pause keeps a hold only for a request, as when it was paused.
  const { pause } = life
  const hold = holdAsk !== null && (pause === null || pause.request !== null) ? { hold: holdAsk } : {}
  const scope = { id, name, kind, limits, ceilings: resolved.ceilings, owner: holder, ...hold }
  const outcome = await store.open({ parentId: parent?.id ?? null, scopes: [scope], atMs: clock.wallMs() })
  if (outcome.kind === 'opened' && outcome.adopted.includes(id)) {
    changeLifecycle(runtime, { kind: 'adopted', holder })
    return
  }
  await letGoOf(runtime)
}

async function letGoOf(runtime: ScopeRuntime): Promise<void> {
  const { holder } = runtime.context
  const reading = await readAgain(runtime)
  if (reading?.owner === holder && !reading.isOrphaned) {
    // It was adopted, and the answer was lost.
    changeLifecycle(runtime, { kind: 'adopted', holder })
    return
  }
  if (reading !== undefined && isEnded(reading.status)) {
    await endHere(runtime, reading.status as EndStatus, 'ended by another process')
    return
  }
  if (runtime.roaming !== null && reading !== undefined) return handOver(runtime, reading.owner)
  const reason = `"${runtime.path}" was left behind when ${runtime.life.owner} was declared dead`
  await detachScope(runtime, reason, 'detached')
}

async function readAgain({ context, id }: ScopeRuntime): Promise<ScopeReading | undefined> {
  const { clock, store } = context
  return (await store.read({ scopeId: id, atMs: clock.wallMs() }))?.at(-1)
}
