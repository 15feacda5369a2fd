import { randomBytes } from 'node:crypto'
import { type Breach, isEnded, type StintEvent } from '../../../core/index.ts'
import { edgeOf } from '../../../governor/edge.ts'
import type { Governor, Scope } from '../../../governor/index.ts'
import type { Admission, EndedRequest, GatewayCall, GivenUp, RequestEnd } from '../../gateway.ts'
import type { RunState } from './governed-run.ts'
import { NOTICED_EVENTS, noticeFrom, type RunNotice } from './run-notice.ts'

/** One run that the gateway knows by its key. */
export interface KnownRun {
  readonly scope: Scope
  readonly key: string
  state(): RunState
  touch(): void
  /** From now on nobody comes in with its key. */
  forget(): void
}

/** The runs of one gateway: who may come in, and what went through for whom. */
export interface Runs extends Admission {
  add(scope: Scope, options?: AddOptions): KnownRun
  /** Adds the run of a scope that another process keeps below `parent`; `null` if there is none there. */
  enter(scopeId: string, parent: KnownRun): Promise<KnownRun | null>
  /** The run of this scope; `null` if it is none, or has ended. */
  find(scopeId: string): KnownRun | null
  /** How many there are. */
  count(): number
  /** To be told of each request of the gateway, when it is over. */
  readonly onRequest: (request: EndedRequest) => void
  /** To be told of each call that was answered. */
  readonly onCall: (call: GatewayCall) => void
  /** To be told of each request that was held in vain. */
  readonly onGiveUp: (given: GivenUp) => void
}

/** How many requests came to each end. */
type EndCounts = Pick<RunState, 'calls' | 'refusedByStint' | 'refusedByProvider' | 'unanswered'>

const COUNTED_AS: Readonly<Record<RequestEnd, keyof EndCounts>> = {
  answered: 'calls',
  'refused-by-stint': 'refusedByStint',
  'refused-by-provider': 'refusedByProvider',
  unanswered: 'unanswered',
}

export interface AddOptions {
  /** The run that it is in. */
  readonly parent?: KnownRun
  /** Its agent's loop is not the command behind the gateway, and makes its closing call itself. */
  readonly closesItself?: boolean
}

interface Counts {
  readonly ends: { -readonly [Name in keyof EndCounts]: number }
  clamps: number
  cutBy: Breach | null
  /** Whether a request had tools: then one without them is beside the conversation. */
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

/** The runs that a gateway serves. A key lives as long as its run, and is never written anywhere. */
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
    // What happens to a budget above them concerns the outermost runs.
    const found = about === null ? [...runs.values()].filter(({ counts }) => counts.parent === null) : [about]
    for (const { counts } of found) {
      const isNews = counts.notices.at(-1)?.message !== notice.message
      if (isNews && counts.notices.length < MOST_NOTICES) counts.notices.push(notice)
    }
  }
  governor.on(noticed, { names: NOTICED_EVENTS })
  return {
    // Looked up, not compared: a key is 256 random bits, and how long a look takes tells nothing of the others.
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

/** The run that an agent belongs to which is told apart in it: what it closes with is none of the runs around that one. */
function innermost(runs: Iterable<CountedRun>, path: string): CountedRun | null {
  let found: CountedRun | null = null
  for (const each of runs) {
    const own = each.run.scope.path
    if (path.startsWith(`${own}/`) && own.length > (found?.run.scope.path.length ?? -1)) found = each
  }
  return found
}

/** A call of a nested run is a call of the run around it, too; its closing is its own. */
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

/** Whether the conversation ends with an answer that was cut. Those of its subagents are conversations of their own. */
function noteCut(counts: Counts, { scopeId, runId, hasTools, cutBy }: GatewayCall): void {
  if (scopeId !== runId) return
  counts.hasTools ||= hasTools
  if (hasTools || !counts.hasTools) counts.cutBy = cutBy
}

function stateOf(scope: Scope, counts: Counts): RunState {
  const status = scope.status()
  const { breaches, pausedBy, reason, signal } = edgeOf(scope).end()
  // Whoever raised or resumed it since has made it worth another try.
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
