import { type Breaches, isStintError } from '../../core/index.ts'
import { type CallOutcome, haltAt, type ModelGrant, pauseOnPath, untilGoesOn } from '../../governor/index.ts'
import type { RequestEnd } from '../gateway.ts'
import { refuse } from '../http/refuse.ts'
import { closeCall } from './close-call.ts'
import { finishCall, limitBehind } from './finish-call.ts'
import { holdClient, waitOver } from './held-client.ts'
import { keepAlive } from './keep-alive.ts'
import type { LiveCall } from './live-call.ts'
import { type PlannedCall, planCall } from './planned-call.ts'
import { givesUpAllowedTools } from './provider-tools.ts'
import { unboundedText } from './refusal-texts.ts'
import { refuseBreached, refuseFailed, stopCall } from './refuse-call.ts'
import { answered, type SentCall, sendCall } from './send-call.ts'

// Each round is a pause that was lifted: more than this many for one request is a mistake.
const MOST_ROUNDS = 100
const MOST_LAPSED = 3
const RETRY_AFTER_S = 10

/** Takes a request through the limits of its scope: it is answered, or refused, and accounted for either way. */
export async function governCall(call: LiveCall): Promise<RequestEnd> {
  const { client, limits, request } = call
  const { unbounded } = request
  if (limits.isEnforced && unbounded.length > 0) {
    refuse(call.response, call.dialect, { kind: 'bad-request', message: unboundedText(call, unbounded) })
    return 'refused-by-stint'
  }
  const held = holdClient(call)
  try {
    const planned = await planCall(call)
    const outcome = await admit(call, planned, () => held.letGo())
    held.letGo()
    // Given up, it was told so; gone, it was told nothing.
    if (outcome === null) return client.isGone() ? 'unanswered' : 'refused-by-stint'
    // Also for a client that left as soon as it had read the end of the stream, as Codex does: the call was made.
    if (outcome.kind === 'done') {
      const closed = await closeInstead(call, planned, outcome.value)
      return closed ?? (await finishCall(call, planned, outcome.value, outcome.clampedTo))
    }
    if (client.isGone()) return 'unanswered'
    if (outcome.kind === 'stopped') return stopCall(call, outcome.by === null ? null : [outcome.by])
    if (outcome.mayFitLater) {
      refuse(call.response, call.dialect, waitOver(outcome.breach.message), { retryAfterS: RETRY_AFTER_S })
      return 'refused-by-stint'
    }
    return await close(call, planned, outcome.breaches)
  } catch (error) {
    held.letGo()
    return givesUpAllowedTools(call, error) ? governCall(call) : refuseFailed(call, error)
  } finally {
    held.letGo()
  }
}

/** Asks until there is an answer that is no pause. `null`: nobody waits for it any more. */
async function admit(call: LiveCall, planned: PlannedCall, onGrant: () => void): Promise<CallOutcome<SentCall> | null> {
  const { scope, client } = call
  let lapsed = 0
  for (let round = 0; ; round++) {
    const outcome = await ask(call, planned, onGrant)
    if (outcome !== null && outcome.kind !== 'refused') return outcome
    if (client.isOver()) return null
    if (outcome !== null && pauseOnPath(scope) === null) {
      // Paused, and lifted before anybody looked. A budget of many is never paused, so that it would be so for ever.
      const mayHaveGoneOn = outcome.breach.action === 'pause' && lapsed++ < MOST_LAPSED
      if (!mayHaveGoneOn) return outcome
    }
    if (round >= MOST_ROUNDS) return outcome
    if (!(await untilGoesOn(scope, client.signal)) && client.isOver()) return null
  }
}

/** `null`: a person has paused it. */
async function ask(call: LiveCall, planned: PlannedCall, onGrant: () => void): Promise<CallOutcome<SentCall> | null> {
  try {
    return await call.scope.callModel(planned.spec, (grant) => {
      onGrant()
      const isHeldBack = grant.isTight && !call.request.isFormForced
      return (isHeldBack ? sendHeldBack(call, planned, grant) : sendCall(call, planned, grant)).then(answered)
    })
  } catch (error) {
    if (isStintError(error, 'scope_paused')) return null
    if (isStintError(error, 'call_not_sent')) return null
    throw error
  }
}

async function sendHeldBack(call: LiveCall, planned: PlannedCall, grant: ModelGrant): Promise<SentCall> {
  const holding = keepAlive(call)
  try {
    return await sendCall(call, planned, grant, { holding, isSecond: false })
  } catch (error) {
    holding.end()
    throw error
  }
}

/**
 * An answer that a cap of ours has cut, and of which nothing was sent yet, is replaced by the closing answer: what is
 * held back pays for it. `null` where it is to be sent as it is.
 */
async function closeInstead(call: LiveCall, planned: PlannedCall, sent: SentCall): Promise<RequestEnd | null> {
  const { client, request, scope, state } = call
  const { reading, sink, rest } = sent
  const isLost = reading.isCutByCap && reading.toolCalls.passed === 0 && sent.cap < planned.spec.maxOutputTokens
  const mayClose = state.wrapsUp === true && request.hasTools && !request.isFormForced
  if (!isLost || !mayClose || client.isOver() || !sink.isReplaceable(rest, request.isStream)) return null
  const breach = await limitBehind(call, planned)
  if (breach?.action !== 'terminate') return null
  haltAt(scope, [breach])
  sink.beQuiet()
  try {
    const closed = await closeCall(call, planned, breach)
    return closed === null ? null : await finishCall(call, { ...planned, isClosing: true }, closed, null)
  } catch {
    // The answer that was cut is there all the same.
    return null
  }
}

/** Nothing more is let in: the request of an agent goes out as its closing call, once; any other is refused. */
async function close(call: LiveCall, planned: PlannedCall, breaches: Breaches): Promise<RequestEnd> {
  const { request, state } = call
  const [breach] = breaches
  // A model that searches by itself would do so in its last answer, too.
  const isSearching = request.providerTools.some(({ isBuiltIn }) => isBuiltIn === true)
  const mayClose = state.wrapsUp === true && request.hasTools && !isSearching && breach.action !== 'pause'
  const sent = mayClose ? await closeCall(call, planned, breach) : null
  if (sent === null) return refuseBreached(call, breaches)
  return finishCall(call, { ...planned, isClosing: true }, sent, null)
}
