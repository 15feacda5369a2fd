import {
  assertKnownOptions,
  type Breaches,
  describeBreach,
  type Limit,
  LimitExceededError,
  mostUnder,
  optionNames,
} from '../../../core/index.ts'
import { ownerOfBreach } from '../../calls/act-on-breach.ts'
import { answerOf, askForIncrease } from '../../steering/ask-for-increase.ts'
import { pauseForAnswer } from '../../steering/pause-for-answer.ts'
import { ScopePausedError } from '../../steering/scope-paused-error.ts'
import { countWait } from '../clocks/activity.ts'
import { keepAlive } from '../clocks/keep-alive.ts'
import { ScopeClosedError } from '../scope-closed-error.ts'
import { isLiving, type ScopeRuntime } from '../scope-runtime.ts'

/** The question to a person before children are opened. */
export interface OpenQuestion {
  readonly reason: string
  /** `false`: the scope that has the limit stays paused until it is resumed, and its loops end. */
  readonly waits: boolean
  readonly signals: readonly (AbortSignal | undefined)[]
  /** It was answered with no before, and is not asked again. */
  readonly isDenied?: boolean
}

/** Whether a refusal leads to a question: only `spawns` counts children, and its limit must have the action `ask`. */
export function isQuestion([breach]: Breaches): boolean {
  return breach.meter === 'spawns' && breach.action === 'ask'
}

/**
 * Asks whether children that a `spawns` limit refused may be opened, and waits for the answer. A denial refuses them
 * and ends nothing. `true`: the limit was raised, so try again. Throws `ScopePausedError` if the caller does not wait.
 */
export async function askToOpen(parent: ScopeRuntime, breaches: Breaches, question: OpenQuestion): Promise<boolean> {
  const { reason, signals, isDenied = false } = question
  if (isDenied) return false
  const [breach] = breaches
  const owner = ownerOfBreach(parent, breach)
  const { halt, pause, isOwned } = owner.life
  // What is not ours cannot be left to a later resume of ours.
  const waits = question.waits || !isOwned
  // Paused without a request: the person who resumes it decides.
  if (halt !== null || (pause !== null && pause.request === null)) return false
  const holder = parent.rootToSelf.find(({ id }) => id === breach.scope)
  const limit = holder?.limits.find(({ meter, per }) => meter === breach.meter && per === breach.per)
  if (holder === undefined || limit === undefined) return false
  if (!(await canBeRaised(parent, breach.scope, limit))) return false
  // Exactly what is missing: the number of children is known, so there is nothing to guess.
  const asked = breach.settled + breach.asked - breach.limit
  const increase = await askForIncrease(holder, limit, { asked, mayBeCut: true, settled: breach.settled, reason })
  if (increase === null || !isLiving(owner)) throw new ScopeClosedError(owner.id)
  if (owner.kind !== 'lasting') await pauseForAnswer(owner, increase, breaches, { waits })
  const isPaused = owner.life.pause?.request === increase.request.id
  if (!waits && (isPaused || increase.request.status === 'open')) throw new ScopePausedError(owner.id, reason)
  const letGo = keepAlive(parent.context.clock)
  countWait(parent.activity, 1)
  try {
    return await answerOf(increase, [parent.work.signal, ...signals])
  } finally {
    letGo()
    countWait(parent.activity, -1)
  }
}

/** An increase that an operator's ceiling rules out is not requested. */
async function canBeRaised({ id, context }: ScopeRuntime, holder: string, limit: Limit): Promise<boolean> {
  const path = (await context.store.read({ scopeId: id, atMs: context.clock.wallMs() })) ?? []
  const ceilings = path.find((reading) => reading.id === holder)?.ceilings ?? []
  return mostUnder(limit, ceilings) > limit.max
}

const QUESTION = optionNames<OpenQuestion>({ reason: true, waits: true, signals: true, isDenied: true })

// Each question needs an answer from a person.
const MOST_QUESTIONS = 100

/**
 * Asks before this many more children are opened, if a limit on the path has the action `ask`. Opens nothing. Throws
 * `LimitExceededError` if the request is denied.
 */
export async function askBeforehand(parent: ScopeRuntime, children: number, question: OpenQuestion): Promise<void> {
  assertKnownOptions('edge.askToOpen', question, QUESTION)
  for (let round = 0; round < MOST_QUESTIONS; round++) {
    const breaches = await shortOnPath(parent, children)
    if (breaches === null) return
    if (!(await askToOpen(parent, breaches, question))) throw new LimitExceededError(breaches)
  }
}

async function shortOnPath({ id, context }: ScopeRuntime, children: number): Promise<Breaches | null> {
  const { store, clock } = context
  for (const reading of (await store.read({ scopeId: id, atMs: clock.wallMs() })) ?? []) {
    for (const { limit, settled, reserved, held, remaining, resetsAt } of reading.limits) {
      const breach = describeBreach(reading, limit, { settled, reserved, held, remaining, resetsAt, asked: children })
      if (isQuestion([breach]) && children > remaining) return [breach]
    }
  }
  return null
}

/** The question before scopes with these names are opened. */
export function openQuestion(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).join(', ')
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
  return names.length === 1 ? `Start ${shown}?` : `Start ${names.length} agents (${shown}${more})?`
}

const MOST_NAMED = 5
