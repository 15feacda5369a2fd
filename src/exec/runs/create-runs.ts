import { randomBytes } from 'node:crypto'
import { type Breach, isEnded, type StintEvent } from '../../core/index.ts'
import type { Admission, EndedRequest, GatewayCall, GivenUp, RequestEnd } from '../../gateway/gateway.ts'
import { edgeOf } from '../../governor/edge.ts'
import type { Governor, Scope } from '../../governor/index.ts'
import type { RunState } from './governed-run.ts'
import { NOTICED_EVENTS, noticeFrom, type RunNotice } from './run-notice.ts'

/** A run that the gateway knows by its key. */
export interface KnownRun {
  readonly scope: Scope
  readonly key: string
  state(): RunState
  touch(): void
  /** Revokes its key. */
  forget(): void
}

/** The runs of one gateway: their keys, and counts of their requests. */
export interface Runs extends Admission {
  add(scope: Scope, options?: AddOptions): KnownRun
  /** Adds the run of a scope below `parent` that another process owns; `null` if there is none. */
  enter(scopeId: string, parent: KnownRun): Promise<KnownRun | null>
  /** The run of this scope; `null` if there is none, or it has ended. */
  find(scopeId: string): KnownRun | null
  /** How many runs there are. */
  count(): number
  /** The gateway calls this after each request. */
  readonly onRequest: (request: EndedRequest) => void
  /** The gateway calls this after each answered call. */
  readonly onCall: (call: GatewayCall) => void
  /** The gateway calls this after each request that was held in vain. */
  readonly onGiveUp: (given: GivenUp) => void
}

/** How many requests ended in each way. */
type EndCounts = Pick<RunState, 'calls' | 'refusedByStint' | 'refusedByProvider' | 'unanswered'>

const COUNTED_AS: Readonly<Record<RequestEnd, keyof EndCounts>> = {
  answered: 'calls',
  'refused-by-stint': 'refusedByStint',
  'refused-by-provider': 'refusedByProvider',
  unanswered: 'unanswered',
}

export interface AddOptions {
  /** The enclosing run. */
  readonly parent?: KnownRun
  /** Its agent loop is not a command behind the gateway, and makes its closing call itself. */
  readonly closesItself?: boolean
}

interface Counts {
  readonly ends: { -readonly [Name in keyof EndCounts]: number }
  clamps: number
  cutBy: Breach | null
  /** Whether a request had tools: then a request without them is not part of the conversation. */
  hasTools: boolean
  closing: RunState['closing']
  lastText: string
  sessionId: string | null
  hasGivenUp: boolean
  readonly notices: RunNotice[]
  readonly parent: Counts | null
}

const NOTHING_ENDED: EndCounts = { calls: 0, refusedByStint: 0, refusedByProvider: 0, unanswered: 0 }
const NOTHING = {
  clamps: 0,
  cutBy: null,
  hasTools: false,
  closing: 'none',
  lastText: '',
  sessionId: null,
  hasGivenUp: false,
} as const

const LONGEST_TEXT = 20_000
const MOST_NOTICES = 200
const KEY_BYTES = 32

/** The runs that a gateway serves. A key lives as long as its run, and is never stored. */
export function createRuns(governor: Governor): Runs {
  const byKey = new Map<string, Scope>()
  const runs = new Map<string, CountedRun>()
  governor.on('wrap_up_started', ({ scope: id, scope_path: path }) => {
    const closing = runs.get(id) ?? innermost(runs.values(), path)
    if (closing !== null) closing.counts.closing = 'underway'
  })
  const noticed = (event: StintEvent): void => {
    const notice = noticeFrom(event)
    if (notice === null) return
    const about = runs.get(event.scope) ?? innermost(runs.values(), event.scope_path)
    // Events of a budget above them concern the outermost runs.
    const found = about === null ? [...runs.values()].filter(({ counts }) => counts.parent === null) : [about]
    for (const { counts } of found) {
      const isNews = counts.notices.at(-1)?.message !== notice.message
      if (isNews && counts.notices.length < MOST_NOTICES) counts.notices.push(notice)
    }
  }
  governor.on(noticed, { names: NOTICED_EVENTS })
  return {
    // A plain lookup is safe: a key is 256 random bits, and the time of a lookup reveals nothing about other keys.
    scopeOf: async (key) => byKey.get(key) ?? null,
    count: () => runs.size,
    find: (scopeId) => runs.get(scopeId)?.run ?? null,
    closesItself: (scope) => runs.get(scope.id)?.closesItself === true,
    async enter(scopeId, parent) {
      const known = runs.get(scopeId)
      if (known !== undefined) return known.closesItself ? known.run : null
      const scope = await governor.find(scopeId)
      const isBelow = scope !== null && scope.id !== parent.scope.id && edgeOf(scope).isChargedTo(parent.scope)
      return isBelow ? this.add(scope, { parent, closesItself: true }) : null
    },
    add(scope, { parent, closesItself = false } = {}) {
      const above = parent === undefined ? null : (runs.get(parent.scope.id)?.counts ?? null)
      const counts: Counts = { ...NOTHING, ends: { ...NOTHING_ENDED }, notices: [], parent: above }
      const key = randomBytes(KEY_BYTES).toString('base64url')
      const run: KnownRun = {
        scope,
        key,
        state: () => stateOf(scope, counts),
        touch: () => edgeOf(scope).touch(),
        forget() {
          byKey.delete(key)
          runs.delete(scope.id)
        },
      }
      byKey.set(key, scope)
      runs.set(scope.id, { run, counts, closesItself })
      return run
    },
    onRequest({ runId, end }) {
      for (let each = runs.get(runId)?.counts ?? null; each !== null; each = each.parent) each.ends[COUNTED_AS[end]]++
    },
    onCall(call) {
      const found = runs.get(call.runId)
      if (found !== undefined) countCall(found.counts, call)
    },
    onGiveUp({ runId }) {
      const found = runs.get(runId)
      if (found !== undefined) found.counts.hasGivenUp = true
    },
  }
}

interface CountedRun {
  readonly run: KnownRun
  readonly counts: Counts
  readonly closesItself: boolean
}

/** The innermost run of an agent with its own scope: its closing call doesn't concern the runs further out. */
function innermost(runs: Iterable<CountedRun>, path: string): CountedRun | null {
  let found: CountedRun | null = null
  for (const each of runs) {
    const own = each.run.scope.path
    if (path.startsWith(`${own}/`) && own.length > (found?.run.scope.path.length ?? -1)) found = each
  }
  return found
}

/** A call of a nested run counts for the enclosing runs too; its closing call doesn't. */
function countCall(counts: Counts, call: GatewayCall): void {
  const { clampedTo, isClosing, text, sessionId } = call
  if (isClosing) counts.closing = 'answered'
  noteCut(counts, call)
  if (text !== '') counts.lastText = text.slice(0, LONGEST_TEXT)
  counts.sessionId = sessionId ?? counts.sessionId
  for (let each: Counts | null = counts; each !== null; each = each.parent) {
    if (clampedTo !== null) each.clamps++
  }
}

/** Records whether the conversation's last answer was cut. Subagents have their own conversations. */
function noteCut(counts: Counts, { scopeId, runId, hasTools, cutBy }: GatewayCall): void {
  if (scopeId !== runId) return
  counts.hasTools ||= hasTools
  if (hasTools || !counts.hasTools) counts.cutBy = cutBy
}

function stateOf(scope: Scope, counts: Counts): RunState {
  const status = scope.status()
  const { breaches, pausedBy, reason, signal } = edgeOf(scope).end()
  // If it was raised or resumed since, it is worth another try.
  if (status !== 'paused') counts.hasGivenUp = false
  const { ends, notices, clamps, cutBy, closing, lastText, sessionId, hasGivenUp } = counts
  return {
    status,
    breaches: breaches ?? pausedBy,
    reason,
    isLimited: scope.limits().length > 0 || edgeOf(scope).enforcedOnPath().length > 0,
    isHalted: breaches !== null,
    isOver: signal.aborted || isEnded(status),
    hasGivenUp,
    closing,
    ...ends,
    clamps,
    cutBy,
    notices: [...notices],
    lastText,
    sessionId,
  }
}
