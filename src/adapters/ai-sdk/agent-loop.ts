import type { Breaches } from '../../core/index.ts'
import { createRepeatGuard, type RepeatGuard, type Scope } from '../../governor/index.ts'
import { createTokenMarks, type TokenMarks } from './prompt/token-marks.ts'

/** What the model's and the tools' side of one agent loop know of each other. One for each scope. */
export interface AgentLoop {
  readonly scope: Scope
  /** Whether the model call after a limit goes out as the closing call. */
  wrapsUp: boolean
  /** The line in the system prompt, as it was at the first request: it never changes afterwards. */
  promptLine: string | null
  /** The hint under each tool result that is the last of its batch; `null` for none. Shown again in each request. */
  hints: Map<string, string | null>
  /** What the prompt and the answer of former calls took, by the provider's own count. */
  readonly marks: TokenMarks
  /** The conversation that the step which runs now was begun with, in the messages of the AI SDK. */
  conversation: readonly unknown[] | null
  /** The last text of the model, whatever became of the step. */
  lastText: string
  /** The closing answer, once there is one. */
  closingText: string | null
  /** The limits that ended or paused the loop. */
  stoppedBy: Breaches | null
  /** A tool that ends the work has run. */
  isWorkEnded: boolean
  /** A tool that changes things was stopped, perhaps half way. */
  unsafeBoundary: boolean
  guard: RepeatGuard | null
}

const LOOPS = new WeakMap<Scope, AgentLoop>()

/** The loop that a scope runs, made when it is first asked for. */
export function loopOf(scope: Scope): AgentLoop {
  const known = LOOPS.get(scope)
  if (known !== undefined) return known
  const loop: AgentLoop = {
    scope,
    wrapsUp: false,
    promptLine: null,
    hints: new Map(),
    marks: createTokenMarks(),
    conversation: null,
    lastText: '',
    closingText: null,
    stoppedBy: null,
    isWorkEnded: false,
    unsafeBoundary: false,
    guard: null,
  }
  LOOPS.set(scope, loop)
  return loop
}

/** Whether anything of the loop of this scope is governed: an agent that was built past us would spend unseen. */
export function hasLoop(scope: Scope): boolean {
  return LOOPS.has(scope)
}

/** The repeat guard of the loop: one for all its tools. */
export function guardOf(loop: AgentLoop): RepeatGuard {
  loop.guard ??= createRepeatGuard(loop.scope)
  return loop.guard
}
