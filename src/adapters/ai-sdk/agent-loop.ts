import { AsyncLocalStorage } from 'node:async_hooks'
import type { Breach, Breaches } from '../../core/index.ts'
import { createRepeatGuard, type RepeatGuard, type Scope } from '../../governor/index.ts'
import { createLoopState, type LoopState } from '../../loop/loop-state.ts'

/** What the model's and the tools' side of one agent loop know of each other. */
export interface AgentLoop extends LoopState {
  /** Whether the model call after a limit goes out as the closing call. */
  wrapsUp: boolean
  /** The conversation that it was begun with, in the messages of the AI SDK. */
  given: readonly unknown[]
  /** The conversation that the step which runs now was begun with; `null` before the first. */
  conversation: readonly unknown[] | null
  /** The last text of the model, whatever became of the step. */
  lastText: string
  /** The closing answer, once there is one. */
  closingText: string | null
  /** The limits that ended or paused the loop. */
  stoppedBy: Breaches | null
  /** The limit at which the last answer was cut, by a cap that was not the agent's own. */
  cutBy: Breach | null
  /** A person's pause kept a tool from running. */
  isHeldUp: boolean
  /** A tool that ends the work has run. */
  isWorkEnded: boolean
  /** A tool that changes things was stopped, perhaps half way. */
  mayBeHalfDone: boolean
  guard: RepeatGuard | null
}

const NOTHING_YET = {
  given: [],
  conversation: null,
  lastText: '',
  closingText: null,
  stoppedBy: null,
  cutBy: null,
  isHeldUp: false,
  isWorkEnded: false,
  mayBeHalfDone: false,
  guard: null,
}

// Of whatever is called through a scope outside of `runGoverned`.
const LOOSE = new WeakMap<Scope, AgentLoop>()
const running = new AsyncLocalStorage<AgentLoop | null>()

/** The loop of a scope that is run here, wherever in the program that is. */
export function loopOf(scope: Scope): AgentLoop {
  const here = running.getStore() ?? null
  return here?.scope === scope ? here : looseLoopOf(scope)
}

/** A loop of its own. Loops of one scope share what they are shown and what was counted: they may be one conversation. */
export function createLoop(scope: Scope, promptLine: string | null = null): AgentLoop {
  return { ...looseLoopOf(scope), promptLine, ...NOTHING_YET }
}

function looseLoopOf(scope: Scope): AgentLoop {
  const known = LOOSE.get(scope)
  if (known !== undefined) return known
  const loop: AgentLoop = { ...createLoopState(scope), wrapsUp: false, ...NOTHING_YET }
  LOOSE.set(scope, loop)
  return loop
}

/** Runs an agent as this loop. */
export function runAsLoop<Result>(loop: AgentLoop, run: () => Result): Result {
  return running.run(loop, run)
}

/** Runs what is no part of the loop, though the loop calls it: a tool that asks a model something of its own. */
export function runOutsideLoops<Result>(run: () => Result): Result {
  return running.run(null, run)
}

/** Notes that a step begins. Outside of `runGoverned` its first step is all that tells of a new loop. */
export function beginStep(
  scope: Scope,
  { stepNumber, messages }: { readonly stepNumber: number; readonly messages: readonly unknown[] },
): void {
  const loop = loopOf(scope)
  if (stepNumber === 0 && loop === LOOSE.get(scope)) Object.assign(loop, NOTHING_YET)
  loop.conversation = [...messages]
}

/** Whether anything of the loop of this scope is governed: an agent that was built past us would spend unseen. */
export function hasLoop(scope: Scope): boolean {
  return LOOSE.has(scope)
}

/** The repeat guard of the loop: one for all its tools. */
export function guardOf(loop: AgentLoop): RepeatGuard {
  loop.guard ??= createRepeatGuard(loop.scope)
  return loop.guard
}
