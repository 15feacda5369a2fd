import { isStintError } from '../../core/index.ts'
import { edgeOf } from '../../governor/edge.ts'
import type { CallOutcome } from '../../governor/index.ts'
import type { AgentCall, Ask, CallSettings } from '../../loop/agent-call.ts'
import { completeUsage } from '../../pricing/index.ts'
import { expectClosing } from '../agents/agent-state.ts'
import type { WireRequest } from '../dialects/dialect.ts'
import { countTokens } from '../upstream/count-tokens.ts'
import { UpstreamRefusedError } from '../upstream/upstream-errors.ts'
import type { Holding } from './client-sink.ts'
import { keepAlive } from './keep-alive.ts'
import type { LiveCall } from './live-call.ts'
import { type SentCall, sendCall } from './send-call.ts'

/** A request on the wire as a call of its agent's loop. */
export interface WireCall extends AgentCall<WireRequest, SentCall> {
  /** Keep-alives for an answer that is held back: they end when it is answered, or about to be refused. */
  holding: Holding | null
}

// Each round is a pause that was lifted: more than this for one request is a mistake.
const MOST_ROUNDS = 100
const MOST_LAPSED = 3

/** `onGrant` is called when the request is about to be sent. */
export function wireCallOf(call: LiveCall, onGrant: () => void = () => {}): WireCall {
  const { bounds, client, dialect, limits, request, state, target } = call
  const { counting } = dialect
  if (state.wrapsUp === null && limits.hasAny && request.hasTools && endsWithAnswer(call)) {
    expectClosing(state, call.scope !== call.keyScope)
  }
  const wireCall: WireCall = {
    holding: null,
    state,
    limits,
    request,
    settings: settingsOf(call),
    attempts: { sent: state.unanswered.sentBefore(request.body) },
    edit: (original, edits) => dialect.readRequest(dialect.editRequest(original, edits)),
    send(attempt) {
      if (attempt.isHeldBack) wireCall.holding ??= keepAlive(call)
      return sendCall(call, attempt, attempt.isHeldBack ? wireCall.holding : null)
    },
    ask: (start, isClosing) => (isClosing ? start(() => {}) : admit(call, start, onGrant)),
    count:
      counting === null ? null : (asked, signal) => countTokens({ target, counting, request: asked, bounds, signal }),
    isReplaceable: ({ sink, rest }) => sink.isReplaceable(rest, request.isStream),
    discard: ({ sink }) => sink.beQuiet(),
    withText(sent, text) {
      const { reading, sink } = sent
      const usage = reading.usage?.usage ?? completeUsage({})
      sink.drop()
      const rest = dialect.shortAnswer(request, text, { answerId: reading.answerId ?? null, usage })
      return { ...sent, rest, text, reading: { ...reading, text } }
    },
    isOver: () => client.signal.aborted,
    refusalText(error) {
      if (!(error instanceof UpstreamRefusedError) || (error.status !== 400 && error.status !== 422)) return null
      return error.body?.toString() ?? ''
    },
  }
  return wireCall
}

function settingsOf(call: LiveCall): CallSettings {
  const { bounds, client, limits, options, request, state, promptKind, sizes } = call
  const { hasTools, toolResults, hidesUsage, isServerHeld } = request
  return {
    spec: {
      waitMs: bounds.waitMs,
      signal: client.signal,
      comesAgain: true,
      ...(limits.hasAny ? { withLeft: true } : {}),
      // A title or a topic is requested outside of the conversation, without its tools.
      ...(hasTools ? {} : { isAside: true }),
      runsOn: true,
    },
    edits: {
      // A chat completions stream only includes usage on request.
      ...(hidesUsage ? { includeUsage: true } : {}),
      ...(limits.boundsTools && isServerHeld ? { withoutParallelTools: true } : {}),
    },
    mayClose: state.wrapsUp === true && hasTools,
    showsBudget: limits.hasAny && (hasTools || toolResults.length > 0),
    reservesToolCall: hasTools && !call.isCarried,
    allowsUnboundedTools: options.allowsUnboundedTools === true,
    learned: { kind: promptKind, elsewhere: sizes },
  }
}

/** A run whose loop is elsewhere keeps its closing call for that loop. */
function endsWithAnswer({ options: { admission }, scope, keyScope }: LiveCall): boolean {
  return scope !== keyScope || admission.closesItself?.(keyScope) !== true
}

/** Asks until the answer is not a pause. `null`: nothing waits for it any more. */
async function admit<Value>(
  { scope, client }: LiveCall,
  start: Ask<Value>,
  onGrant: () => void,
): Promise<CallOutcome<Value> | null> {
  let lapsed = 0
  for (let round = 0; ; round++) {
    let outcome: CallOutcome<Value> | null = null
    try {
      outcome = await start(onGrant)
    } catch (error) {
      // A person has paused it, or the client has gone.
      if (!isStintError(error, 'scope_paused') && !isStintError(error, 'call_not_sent')) throw error
    }
    if (outcome !== null && outcome.kind !== 'refused') return outcome
    if (client.signal.aborted) return null
    if (outcome !== null && edgeOf(scope).pauseOnPath() === null) {
      // Paused, and lifted before this check. A shared budget is never paused, so this could repeat forever.
      const mayHaveGoneOn = outcome.breach.action === 'pause' && lapsed++ < MOST_LAPSED
      if (!mayHaveGoneOn) return outcome
    }
    if (round >= MOST_ROUNDS) return outcome
    if (!(await edgeOf(scope).untilResumed(client.signal)) && client.signal.aborted) return null
  }
}
