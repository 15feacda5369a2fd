import { AsyncLocalStorage } from 'node:async_hooks'
import type { Breach, Breaches } from '../../core/index.ts'
import { createRepeatGuard, type RepeatGuard, type Scope } from '../../governor/index.ts'
import { createLoopState, type LoopState } from '../../loop/loop-state.ts'

/** What the model side and the tool side of one agent loop share. */
export interface AgentLoop extends LoopState {
  /** Whether the model call after a limit is sent as the closing call. */
  wrapsUp: boolean
  /** The conversation it started with, as AI SDK messages. */
  given: readonly unknown[]
  /** The conversation that the current step started with; `null` before the first. */
  conversation: readonly unknown[] | null
  /** The model's last text, however the step ended. */
  lastText: string
  /** The closing answer, once there is one. */
  closingText: string | null
  /** The limits that ended or paused the loop. */
  stoppedBy: Breaches | null
  /** The limit that truncated the last answer, by a cap that was not the agent's own. */
  cutBy: Breach | null
  /** A person's pause kept a tool from running. */
  isHeldUp: boolean
  /** A tool that ends the work has run. */
  isWorkEnded: boolean
  /** A tool with side effects was stopped, perhaps halfway. */
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

// For calls through a scope outside of `runGoverned`.
const LOOSE = new WeakMap<Scope, AgentLoop>()
const running = new AsyncLocalStorage<AgentLoop | null>()

/** The loop of a scope that runs here, anywhere in the program. */
export function loopOf(scope: Scope): AgentLoop {
  const here = running.getStore() ?? null
  return here?.scope === scope ? here : looseLoopOf(scope)
}

/** A separate loop. Loops of one scope share hints and token counts: they may be one conversation. */
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

/** Runs code that the loop calls but that is not part of it: a tool that calls a model itself. */
export function runOutsideLoops<Result>(run: () => Result): Result {
  return running.run(null, run)
}

/** Records that a step begins. Outside of `runGoverned`, only its first step reveals a new loop. */
export function beginStep(
  scope: Scope,
  { stepNumber, messages }: { readonly stepNumber: number; readonly messages: readonly unknown[] },
): void {
  const loop = loopOf(scope)
  if (stepNumber === 0 && loop === LOOSE.get(scope)) Object.assign(loop, NOTHING_YET)
  loop.conversation = [...messages]
}

/** Whether any part of this scope's loop is governed: an agent built without us would spend unseen. */
export function hasLoop(scope: Scope): boolean {
  return LOOSE.has(scope)
}

/** The repeat guard of the loop: one for all its tools. */
export function guardOf(loop: AgentLoop): RepeatGuard {
  loop.guard ??= createRepeatGuard(loop.scope)
  return loop.guard
}
