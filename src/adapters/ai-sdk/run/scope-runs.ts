import { type EndStatus, groupStatus, InvalidOptionError, isEnded } from '../../../core/index.ts'
import { edgeOf } from '../../../governor/edge.ts'
import { NotPausedError, type Scope, ScopePausedError } from '../../../governor/index.ts'
import { type AgentLoop, createLoop } from '../agent-loop.ts'
import { conversationsFrom, documentFrom, type SavedConversation } from './conversation-document.ts'

/** A run that has its place among those of its scope. */
export interface RunSeat {
  readonly name: string
  readonly loop: AgentLoop
}

/** The runs of one scope in this process. A scope is a budget: any number of agents may run on it. */
interface ScopeRuns {
  readonly running: Map<string, AgentLoop>
  /** Those that were paused and have not gone on yet. */
  standing: Map<string, SavedConversation>
  /** Whether the store has what stands: then it goes on with whoever resumes the scope, here or elsewhere. */
  isSaved: boolean
  /** While the scope is being resumed here. */
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
 * Begins a run with a conversation. Throws `ScopePausedError` on a scope whose pause nobody here had a part in: what
 * stands in the store is somebody's to go on with, and would be written over.
 */
export function beginRun(scope: Scope, given: readonly unknown[]): RunSeat {
  const { running, standing } = runsOf(scope)
  if (scope.status() === 'paused' && running.size + standing.size === 0) throw new ScopePausedError(scope.id)
  let number = 1
  while (running.has(String(number)) || standing.has(String(number))) number++
  return takeSeat(scope, String(number), Object.assign(createLoop(scope), { given }))
}

function takeSeat(scope: Scope, name: string, loop: AgentLoop): RunSeat {
  const runs = runsOf(scope)
  runs.running.set(name, loop)
  edgeOf(scope).keepConversation(() => documentOf(runs))
  return { name, loop }
}

/** All that is not done, so that a process that dies now has lost nothing but the step that it was in. */
function documentOf({ running, standing }: ScopeRuns): unknown {
  const now = [...running].map(([name, loop]) => [name, conversationOf(loop, loop.conversation ?? loop.given)] as const)
  return documentFrom(new Map([...standing, ...now]))
}

function conversationOf({ promptLine, hints }: AgentLoop, messages: readonly unknown[]): SavedConversation {
  return { messages, promptLine, hints: [...new Map(hints.entries())] }
}

/** How a run has ended, or why it stands. */
export interface RunLeave {
  readonly status: EndStatus | 'paused'
  readonly messages: readonly unknown[]
  /** Why it stands or has ended, for the records. */
  readonly reason: string
  /** Whether it stands by itself, and not because its scope, or one above, is paused: others need not. */
  readonly standsAlone: boolean
  readonly closes: boolean
}

/** Ends a run, or lets it stand. With the last of its runs a scope is closed; where some stand, it is paused. */
export async function leaveRun(scope: Scope, { name, loop }: RunSeat, leave: RunLeave): Promise<void> {
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

/** Pauses the scope, or adds to its pause what its runs need to go on. */
async function standStill(scope: Scope, runs: ScopeRuns, reason: string): Promise<void> {
  if (isEnded(scope.status())) return
  await scope.pause({ conversation: documentOf(runs), loopEnds: true, reason })
  runs.isSaved = true
}

/** Which run is to go on, and what must be true of its conversation, which throws otherwise. */
export interface RunClaim {
  readonly name: string | undefined
  readonly by: string | undefined
  /** Which conversation it goes on with, where that is not simply the one that was saved. */
  readonly choose: ((saved: readonly unknown[] | null) => readonly unknown[]) | null
  check(messages: readonly unknown[]): void
}

/**
 * Takes up a run that stands, exactly once: for whoever else tries it throws `NotPausedError`. Where it cannot go on,
 * everything stands as before.
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
    return { seat: takeSeat(scope, claimed, loop), messages }
  } catch (error) {
    if (runs.running.size === 0 && runs.standing.size > 0) await standStill(scope, runs, 'could not go on')
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
  throw new InvalidOptionError('resumeGoverned({ run })', name, `one of the runs that stand: ${names.join(', ')}`)
}

// Of a run whose process died at work: who goes on with it knows what was said, or nobody does.
// Version 0.1 numbered the first result of an id too.
const OLD_KEY = /#1$/

const NOTHING_SAVED: SavedConversation = { messages: [], promptLine: null, hints: [] }

/**
 * Resumes the scope: from now on what stands in its document is ours. Several who wait for it resume it once.
 * `mayBeUnsaved`: that there is no document is no reason not to go on.
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
      // Whoever can read it may still go on.
      await scope.pause({ conversation: document, loopEnds: true, reason: 'could not go on' })
      throw error
    }
  }
  runs.resuming ??= resume().finally(() => {
    runs.resuming = null
  })
  return runs.resuming
}
