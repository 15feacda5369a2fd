import { isStintError } from '../../core/index.ts'
import { edgeOf } from '../../governor/edge.ts'
import type { CallOutcome } from '../../governor/index.ts'
import type { Ask, CallSettings, LoopCall } from '../../loop/loop-call.ts'
import type { RequestEdits } from '../../loop/request-view.ts'
import { completeUsage } from '../../pricing/index.ts'
import { expectClosing } from '../agents/agent-state.ts'
import type { WireRequest } from '../dialects/dialect.ts'
import { countTokens } from '../upstream/count-tokens.ts'
import { UpstreamRefusedError } from '../upstream/upstream-errors.ts'
import type { Holding } from './client-sink.ts'
import { keepAlive } from './keep-alive.ts'
import type { LiveCall } from './live-call.ts'
import { hidesUsage, type SentCall, sendCall } from './send-call.ts'

/** A request of the wire as a call of its agent's loop. */
export interface WireCall extends LoopCall<WireRequest, SentCall> {
  /** It was answered, or is about to be refused: no more signs of life for an answer that was held back. */
  beQuiet(): void
}

// Each round is a pause that was lifted: more than this many for one request is a mistake.
const MOST_ROUNDS = 100
const MOST_LAPSED = 3

/** `onGrant` is called when the request is about to go out. */
export function loopCallOf(call: LiveCall, onGrant: () => void = () => {}): WireCall {
  const { bounds, client, dialect, limits, request, state, target } = call
  const { counting } = dialect
  let holding: Holding | null = null
  if (limits.hasAny && request.hasTools && endsWithAnswer(call)) expectClosing(state, call.scope !== call.keyScope)
  return {
    state,
    limits,
    request,
    settings: settingsOf(call),
    edit: (original, edits) => dialect.readRequest(dialect.editRequest(original, edits)),
    send(attempt) {
      if (attempt.isHeldBack) holding ??= keepAlive(call)
      return sendCall(call, attempt, attempt.isHeldBack ? holding : null)
    },
    ask: (start, isClosing) => (isClosing ? start(() => {}) : admit(call, () => start(onGrant))),
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
    isOver: client.isOver,
    refusalText(error) {
      if (!(error instanceof UpstreamRefusedError) || (error.status !== 400 && error.status !== 422)) return null
      return error.body?.toString() ?? ''
    },
    beQuiet: () => holding?.end(),
  }
}

function settingsOf(call: LiveCall): CallSettings {
  const { bounds, client, limits, options, request, state, promptKind, sizes } = call
  const { hasTools, toolResults } = request
  return {
    spec: {
      waitMs: bounds.waitMs,
      signal: client.signal,
      comesAgain: true,
      ...(limits.hasAny ? { tellsLeft: true } : {}),
      // A title or a topic is asked for beside the conversation, without its tools.
      ...(hasTools ? {} : { isAside: true }),
      runsOn: true,
    },
    edits: editsOf(call),
    mayClose: state.wrapsUp === true && hasTools,
    tells: limits.hasAny && (hasTools || toolResults.length > 0),
    reservesToolCall: hasTools && !call.isCarried,
    allowsUnboundedTools: options.allowsUnboundedTools === true,
    learned: { kind: promptKind, elsewhere: sizes },
  }
}

/** A run whose loop is elsewhere keeps its closing call for that. */
function endsWithAnswer({ options: { admission }, scope, keyScope }: LiveCall): boolean {
  return scope !== keyScope || admission.closesItself?.(keyScope) !== true
}

/** A stream of chat completions carries its usage only where it is asked to. */
function editsOf({ dialect, limits, request }: LiveCall): RequestEdits {
  return {
    ...(hidesUsage({ dialect, request }) ? { includeUsage: true } : {}),
    ...(limits.boundsTools && request.isServerHeld ? { withoutParallelTools: true } : {}),
  }
}

/** Asks until there is an answer that is no pause. `null`: nobody waits for it any more. */
async function admit<Value>(
  { scope, client }: LiveCall,
  start: () => ReturnType<Ask<Value>>,
): Promise<CallOutcome<Value> | null> {
  let lapsed = 0
  for (let round = 0; ; round++) {
    const outcome = await unlessPaused(start)
    if (outcome !== null && outcome.kind !== 'refused') return outcome
    if (client.isOver()) return null
    if (outcome !== null && edgeOf(scope).pauseOnPath() === null) {
      // Paused, and lifted before anybody looked. A budget of many is never paused, so that it would be so for ever.
      const mayHaveGoneOn = outcome.breach.action === 'pause' && lapsed++ < MOST_LAPSED
      if (!mayHaveGoneOn) return outcome
    }
    if (round >= MOST_ROUNDS) return outcome
    if (!(await edgeOf(scope).untilGoesOn(client.signal)) && client.isOver()) return null
  }
}

/** `null`: a person has paused it, or nobody waits for it. */
async function unlessPaused<Value>(start: () => ReturnType<Ask<Value>>): Promise<CallOutcome<Value> | null> {
  try {
    return await start()
  } catch (error) {
    if (isStintError(error, 'scope_paused') || isStintError(error, 'call_not_sent')) return null
    throw error
  }
}
