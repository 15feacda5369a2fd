import { type EndStatus, groupStatus, InvalidOptionError, isEnded } from '../../../core/index.ts'
import { edgeOf } from '../../../governor/edge.ts'
import { NotPausedError, type Scope, ScopePausedError } from '../../../governor/index.ts'
import { type AgentLoop, createLoop } from '../agent-loop.ts'
import { conversationsFrom, documentFrom, type SavedConversation } from './conversation-document.ts'

/** A registered run of a scope. */
export interface RegisteredRun {
  readonly name: string
  readonly loop: AgentLoop
}

/** The runs of one scope in this process. A scope is a budget: any number of agents may run on it. */
interface ScopeRuns {
  readonly running: Map<string, AgentLoop>
  /** Paused runs that have not been resumed yet. */
  standing: Map<string, SavedConversation>
  /** Whether the store has the paused runs: they then continue in whichever process resumes the scope. */
  isSaved: boolean
  /** Set while the scope is being resumed here. */
  resuming: Promise<void> | null
  readonly ended: { readonly status: EndStatus; readonly reason: string }[]
}

const RUNS = new WeakMap<Scope, ScopeRuns>()

function runsOf(scope: Scope): ScopeRuns {
  const known = RUNS.get(scope)
  if (known !== undefined) return known
  const runs: ScopeRuns = { running: new Map(), standing: new Map(), isSaved: false, resuming: null, ended: [] }
  RUNS.set(scope, runs)
  return runs
}

/**
 * Starts a run with a conversation. Throws `ScopePausedError` on a scope that was paused without a run of this process:
 * the saved conversation belongs to a paused run, and would be overwritten.
 */
export function beginRun(scope: Scope, given: readonly unknown[]): RegisteredRun {
  const { running, standing } = runsOf(scope)
  if (scope.status() === 'paused' && running.size + standing.size === 0) throw new ScopePausedError(scope.id)
  let number = 1
  while (running.has(String(number)) || standing.has(String(number))) number++
  return registerRun(scope, String(number), Object.assign(createLoop(scope), { given }))
}

function registerRun(scope: Scope, name: string, loop: AgentLoop): RegisteredRun {
  const runs = runsOf(scope)
  runs.running.set(name, loop)
  edgeOf(scope).keepConversation(() => documentOf(runs))
  return { name, loop }
}

/** All runs that are not done, so that a process that dies now loses only its current step. */
function documentOf({ running, standing }: ScopeRuns): unknown {
  const now = [...running].map(([name, loop]) => [name, conversationOf(loop, loop.conversation ?? loop.given)] as const)
  return documentFrom(new Map([...standing, ...now]))
}

function conversationOf({ promptLine, hints }: AgentLoop, messages: readonly unknown[]): SavedConversation {
  return { messages, promptLine, hints: [...new Map(hints.entries())] }
}

/** How a run ended, or why it is paused. */
export interface RunLeave {
  readonly status: EndStatus | 'paused'
  readonly messages: readonly unknown[]
  /** Why it is paused or has ended, for the records. */
  readonly reason: string
  /** Whether only this run is paused, rather than its scope or one above: other runs can continue. */
  readonly standsAlone: boolean
  readonly closes: boolean
}

/** Ends or pauses a run. After its last run a scope is closed, or paused if some of its runs are. */
export async function leaveRun(scope: Scope, { name, loop }: RegisteredRun, leave: RunLeave): Promise<void> {
  const runs = runsOf(scope)
  const { ended, running, standing } = runs
  const { status, messages, reason, standsAlone, closes } = leave
  running.delete(name)
  if (status === 'paused') standing.set(name, conversationOf(loop, messages))
  else ended.push({ status, reason })
  const isLast = running.size === 0
  const mustStand = status === 'paused' && !standsAlone
  if (mustStand || (isLast && standing.size > 0)) return standStill(scope, runs, reason)
  if (!isLast) return
  edgeOf(scope).keepConversation(null)
  const ends = ended.splice(0)
  const outcome = groupStatus(ends.map((each) => each.status)) as EndStatus
  const why = ends.find((each) => each.status === outcome)?.reason ?? reason
  if (closes) await edgeOf(scope).endAs(outcome, why)
}

/** Pauses the scope, or adds to its pause what its runs need to continue. */
async function standStill(scope: Scope, runs: ScopeRuns, reason: string): Promise<void> {
  if (isEnded(scope.status())) return
  await scope.pause({ conversation: documentOf(runs), loopEnds: true, reason })
  runs.isSaved = true
}

/** Which run to resume, and a check of its conversation, which throws if it fails. */
export interface RunClaim {
  readonly name: string | undefined
  readonly by: string | undefined
  /** Chooses the conversation to continue with, if it is not simply the saved one. */
  readonly choose: ((saved: readonly unknown[] | null) => readonly unknown[]) | null
  check(messages: readonly unknown[]): void
}

/**
 * Claims a paused run, exactly once: other callers get a `NotPausedError`. If it cannot continue, everything stays
 * paused as before.
 */
export async function claimRun(scope: Scope, { name, by, choose, check }: RunClaim) {
  const runs = runsOf(scope)
  const isThere = name === undefined ? runs.standing.size > 0 : runs.standing.has(name)
  if (runs.isSaved || !isThere) await resumeHere(scope, runs, by, choose !== null)
  try {
    const claimed = nameIn(scope, runs, name)
    const conversation = runs.standing.get(claimed)!
    const saved = conversation === NOTHING_SAVED ? null : conversation.messages
    const messages = choose === null ? conversation.messages : choose(saved)
    check(messages)
    runs.standing.delete(claimed)
    const loop = createLoop(scope, conversation.promptLine)
    for (const [place, hint] of conversation.hints) loop.hints.set(place.replace(OLD_KEY, ''), hint)
    return { registered: registerRun(scope, claimed, loop), messages }
  } catch (error) {
    if (runs.running.size === 0 && runs.standing.size > 0) await standStill(scope, runs, 'could not continue')
    throw error
  }
}

function nameIn(scope: Scope, { standing }: ScopeRuns, name: string | undefined): string {
  const [first, ...others] = standing.keys()
  if (first === undefined || (name !== undefined && !standing.has(name))) {
    throw new NotPausedError(scope.id, scope.status())
  }
  if (name !== undefined) return name
  if (others.length === 0) return first
  const names = [...standing.keys()].sort().map((each) => `"${each}"`)
  throw new InvalidOptionError('resumeGoverned({ run })', name, `one of the paused runs: ${names.join(', ')}`)
}

// For a run whose process died while working: only the caller may know the conversation. Version 0.1 numbered the first
// result of an id too.
const OLD_KEY = /#1$/

const NOTHING_SAVED: SavedConversation = { messages: [], promptLine: null, hints: [] }

/**
 * Resumes the scope: from now on the runs in its document are ours. Concurrent callers resume it once. `mayBeUnsaved`:
 * a missing document does not prevent resuming.
 */
function resumeHere(scope: Scope, runs: ScopeRuns, by: string | undefined, mayBeUnsaved: boolean): Promise<void> {
  const resume = async (): Promise<void> => {
    const document = await scope.resume(by === undefined ? {} : { by })
    try {
      const isUnsaved = document === null && mayBeUnsaved
      const saved = isUnsaved ? new Map([['1', NOTHING_SAVED]]) : conversationsFrom(document)
      runs.standing = new Map([...saved].filter(([name]) => !runs.running.has(name)))
      runs.isSaved = false
    } catch (error) {
      // A process that can read it may still resume it.
      await scope.pause({ conversation: document, loopEnds: true, reason: 'could not continue' })
      throw error
    }
  }
  runs.resuming ??= resume().finally(() => {
    runs.resuming = null
  })
  return runs.resuming
}
