import { edgeOf } from '../../governor/edge.ts'
import { refuse } from '../http/refuse.ts'
import { sendPing } from './keep-alive.ts'
import type { LiveCall } from './live-call.ts'

/** A client that waits for its request to be admitted. */
export interface HeldClient {
  /** Its request is sent, or was refused. */
  letGo(): void
}

const RETRY_AFTER_S = 10

/**
 * Holds a client that must wait: without a byte at first, so that its answer can still have its own status; if the run
 * is paused and the client streams, with keep-alives after that. At the maximum it is told so, and given up.
 */
export function holdClient(call: LiveCall): HeldClient {
  const { bounds, client, dialect, request, response, scope } = call
  let pings: NodeJS.Timeout | null = null
  let timer = setTimeout(silenceOver, bounds.waitMs)

  function silenceOver(): void {
    if (client.signal.aborted) return
    const isPaused = edgeOf(scope).pauseOnPath() !== null
    if (isPaused && !request.isStream) {
      giveUp()
      return
    }
    if (isPaused) {
      sendPing(call)
      pings = setInterval(() => sendPing(call), bounds.pingMs)
    }
    timer = setTimeout(giveUp, Math.max(0, bounds.pauseMs - bounds.waitMs))
  }

  function giveUp(): void {
    if (client.signal.aborted) return
    const pause = edgeOf(scope).pauseOnPath()
    letGo()
    const reason = pause === null ? 'there was no room' : (pause.breaches?.[0].message ?? pause.reason)
    const text = `Stint has paused this run, and held the request for the maximum time: ${reason}`
    if (response.headersSent) response.end(dialect.shortAnswer(request, text))
    else if (pause !== null) refuse(response, dialect, { kind: 'budget', message: text }, call.caller)
    else refuseForNow(call, reason)
    client.giveUp()
    if (pause !== null) tellGivenUp(call, reason)
  }

  function letGo(): void {
    clearTimeout(timer)
    if (pings !== null) clearInterval(pings)
    pings = null
  }

  return { letGo }
}

/** The request waited too long for room: its client may retry. */
export function refuseForNow({ response, dialect }: LiveCall, reason: string): void {
  const message = `Calls in flight hold the rest of the budget. Try again later: ${reason}`
  refuse(response, dialect, { kind: 'wait', message }, { retryAfterS: RETRY_AFTER_S })
}

function tellGivenUp({ options, scope, keyScope }: LiveCall, reason: string): void {
  try {
    options.onGiveUp?.({ scopeId: scope.id, runId: keyScope.id, reason })
  } catch {
    // A listener must not affect the request.
  }
}
