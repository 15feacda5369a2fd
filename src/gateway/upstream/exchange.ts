import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher, Pool } from 'undici'
import type { AnswerReading, AnswerRelay } from '../dialects/dialect.ts'

/** A request to the upstream. */
export interface SentRequest {
  readonly pool: Pool
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Names and values alternating. */
  readonly headers: readonly string[]
  readonly body: Buffer | null
  /** It asks for a stream: an answer that is not labeled JSON is then one, whatever its label. */
  readonly asksForStream?: boolean
}

/** Where the answer goes. */
export interface AnswerSink {
  /** The answer begins, and is not an error. The returned relay follows it from here on. */
  begin(status: number, headers: IncomingHttpHeaders, isEventStream: boolean): AnswerRelay
  /** `false`: more than it can take now. It calls `onDrain` when it can again. */
  write(bytes: Buffer): boolean
  onDrain(callback: () => void): void
  /** Called after each piece that was followed. */
  onPiece(relay: AnswerRelay): void
  /** Once it is gone, the rest is only read for its usage. */
  readonly client: { readonly isGone: boolean }
}

export interface ExchangeBounds {
  readonly totalTimeoutMs: number
  readonly idleTimeoutMs: number
  readonly drainBytes: number
  readonly drainMs: number
}

/** How an exchange ended. */
export type ExchangeEnd =
  /** The upstream has sent its whole answer; `rest` has not been written yet. */
  | { readonly kind: 'answered'; readonly rest: Buffer; readonly reading: AnswerReading }
  /** The upstream answered with an error. Nothing of it was written. */
  | {
      readonly kind: 'refused'
      readonly status: number
      readonly headers: IncomingHttpHeaders
      /** `null`: no text that may be passed on. It may be an answer with this status, or have broken off. */
      readonly body: Buffer | null
    }
  /** It broke off: before the answer (`reading: null`), or in the middle of it. */
  | { readonly kind: 'broken'; readonly error: unknown; readonly reading: AnswerReading | null }

type RefusedEnd = Extract<ExchangeEnd, { kind: 'refused' }>

/** Controls an exchange in progress. */
export interface Exchange {
  readonly end: Promise<ExchangeEnd>
  /** Aborts it. */
  abort(reason: Error): void
  /** The client went away: the rest of the answer is read up to the bounds. */
  drain(): void
}

// The text of a refusal is short, and a refusal costs nothing: a real answer must not pass as one.
const MOST_ERROR_BYTES = 65_536

/**
 * Sends a request and passes the answer on as it arrives, no faster than it is taken. Never throws; ends exactly once.
 */
export function startExchange(sent: SentRequest, sink: AnswerSink, bounds: ExchangeBounds): Exchange {
  let controller: Dispatcher.DispatchController | null = null
  let abortedWith: Error | null = null
  let relay: AnswerRelay | null = null
  let refusal: { status: number; headers: IncomingHttpHeaders; pieces: Buffer[]; bytes: number } | null = null
  let drainTimer: NodeJS.Timeout | null = null
  let drainedBytes = 0
  let isOver = false
  // What is still passing through the relay: later pieces queue behind it.
  let underway: Promise<void> | null = null
  let finish: (end: ExchangeEnd) => void = () => {}
  const end = new Promise<ExchangeEnd>((resolve) => {
    finish = resolve
  })
  const totalTimer = setTimeout(() => abort(deadlineError('total', bounds.totalTimeoutMs)), bounds.totalTimeoutMs)

  function over(ending: ExchangeEnd): void {
    if (isOver) return
    isOver = true
    clearTimeout(totalTimer)
    if (drainTimer !== null) clearTimeout(drainTimer)
    finish(ending)
  }

  /** Its status is all that is needed. */
  function overWithoutWords({ status, headers }: Pick<RefusedEnd, 'status' | 'headers'>): void {
    over({ kind: 'refused', status, headers, body: null })
  }

  function abort(reason: Error): void {
    if (isOver) return
    abortedWith ??= reason
    if (controller !== null) controller.abort(abortedWith)
    if (refusal !== null) {
      overWithoutWords(refusal)
      return
    }
    // An upstream that never took the request does not report the abort.
    over({ kind: 'broken', error: abortedWith, reading: relay?.reading() ?? null })
  }

  function drain(): void {
    if (isOver || drainTimer !== null) return
    drainTimer = setTimeout(() => abort(drainedError()), bounds.drainMs)
    if (underway === null) controller?.resume()
  }

  function pass(bytes: Buffer): void | Promise<void> {
    if (sink.client.isGone) {
      drain()
      return
    }
    if (bytes.length === 0 || sink.write(bytes)) return
    return new Promise((resolve) => {
      // A client that takes nothing for this long is as good as gone.
      const stalled = setTimeout(() => abort(deadlineError('client', bounds.idleTimeoutMs)), bounds.idleTimeoutMs)
      sink.onDrain(() => {
        clearTimeout(stalled)
        resolve()
      })
    })
  }

  function hold(step: Promise<void>): void {
    controller?.pause()
    const own: Promise<void> = step
      .catch((error: unknown) =>
        abort(error instanceof Error ? error : new Error('The answer could not be passed on.')),
      )
      .then(() => {
        if (underway !== own) return
        underway = null
        if (!isOver) controller?.resume()
      })
    underway = own
  }

  function push(piece: Buffer): void | Promise<void> {
    if (sink.client.isGone) {
      drainedBytes += piece.length
      if (drainedBytes > bounds.drainBytes) {
        abort(drainedError())
        return
      }
    }
    const passed = relay!.push(piece)
    sink.onPiece(relay!)
    return passed instanceof Promise ? passed.then(pass) : pass(passed)
  }

  function finishAnswer(): void {
    const rest = relay!.end()
    if (rest instanceof Promise)
      hold(rest.then((late) => over({ kind: 'answered', rest: late, reading: relay!.reading() })))
    else over({ kind: 'answered', rest, reading: relay!.reading() })
  }

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(own) {
      controller = own
      if (abortedWith !== null) own.abort(abortedWith)
    },
    onResponseStart(_, status, headers) {
      if (isOver || status < 200) return
      const encoding = headers['content-encoding']
      if (status >= 300) {
        refusal = { status, headers, pieces: [], bytes: 0 }
        if (!isWords(headers)) abort(new Error('The provider refused without a readable message.'))
      } else if (encoding !== undefined && encoding !== 'identity') {
        abort(new Error('The provider answered in an encoding that was not requested.'))
      } else {
        relay = sink.begin(status, headers, isEventStream(headers, sent.asksForStream === true))
      }
    },
    onResponseData(_, piece) {
      if (isOver) return
      if (refusal !== null) {
        refusal.bytes += piece.length
        if (refusal.bytes <= MOST_ERROR_BYTES) refusal.pieces.push(piece)
        else abort(new Error('The provider refused with an error body that is too long.'))
        return
      }
      if (underway !== null) {
        hold(underway.then(() => (isOver ? undefined : push(piece))))
        return
      }
      const step = push(piece)
      if (step !== undefined) hold(step)
    },
    onResponseEnd() {
      if (isOver) return
      if (refusal !== null) {
        const { status, headers, pieces } = refusal
        over({ kind: 'refused', status, headers, body: Buffer.concat(pieces) })
      } else if (underway !== null) {
        hold(underway.then(() => (isOver ? undefined : finishAnswer())))
      } else finishAnswer()
    },
    onResponseError(_, error) {
      if (refusal !== null) {
        overWithoutWords(refusal)
        return
      }
      const broken = (): void =>
        over({ kind: 'broken', error: abortedWith ?? error, reading: relay?.reading() ?? null })
      // What came before the break is passed on first.
      if (underway !== null) void underway.then(broken)
      else broken()
    },
  }

  function dispatch(): void {
    if (isOver) return
    try {
      const { pool, method, path, headers, body } = sent
      pool.dispatch({ method, path, headers: headers as string[], body }, handler)
    } catch (error) {
      over({ kind: 'broken', error, reading: null })
    }
  }

  // Sent once everything that has arrived over the network by now was handled. A kept-alive connection that the
  // upstream closed while this process was blocked or asleep still seems open: what is written to it is lost, and since
  // it is unknown whether it arrived, it may not be sent again. The first turn may have begun before that.
  setImmediate(() => setImmediate(dispatch))
  return { end, abort, drain }
}

/** Clients that asked for a stream read one whatever its label, and so must we. */
function isEventStream(headers: IncomingHttpHeaders, asksForStream: boolean): boolean {
  const contentType = String(headers['content-type'] ?? '').toLowerCase()
  return contentType.includes('text/event-stream') || (asksForStream && !contentType.includes('json'))
}

/** JSON, text or unlabeled; never an event stream. */
function isWords(headers: IncomingHttpHeaders): boolean {
  const contentType = String(headers['content-type'] ?? '').toLowerCase()
  if (contentType.includes('event-stream')) return false
  return contentType === '' || contentType.includes('json') || contentType.startsWith('text/')
}

/** A deadline of ours was missed. */
function deadlineError(what: 'total' | 'client', afterMs: number): Error {
  const who = what === 'total' ? 'The answer was not complete' : 'The client read nothing of its answer'
  const code = what === 'total' ? 'STINT_DEADLINE' : 'STINT_CLIENT_STALLED'
  return Object.assign(new Error(`${who} after ${afterMs}ms.`), { code })
}

function drainedError(): Error {
  return Object.assign(new Error('The client went away, and the rest of its answer was too long to be read.'), {
    code: 'STINT_DRAINED',
  })
}
