import { type Breaches, LimitExceededError } from '../../../core/index.ts'
import { CallNotSentError, type CallOutcome, type ModelGrant } from '../../../governor/index.ts'
import type { Usage } from '../../../pricing/index.ts'
import type { AgentLoop } from '../agent-loop.ts'
import { rememberUsage } from './answer-usage.ts'
import { closingOptions, closingRequests } from './closing-request.ts'
import type { CallOptions, LanguageModelV3 } from './language-model.ts'
import { type ModelRequest, type ModelSettings, modelRequest, sentOptions } from './model-request.ts'

/** What is sent, and what came of it. */
export interface Attempt<Answer> {
  readonly options: CallOptions
  readonly isClosing: boolean
  readonly request: ModelRequest
  readonly grant: ModelGrant
  readonly answer?: Answer
}

/** Sends a request and reports its usage when the answer has come to its end. */
export type Send<Answer> = (
  attempt: Attempt<Answer>,
) => Promise<{ readonly answer: Answer; readonly usage: Partial<Usage> | null }>

/** The model call of a loop, as it came from the AI SDK. */
export interface LoopCall {
  readonly loop: AgentLoop
  readonly model: LanguageModelV3
  readonly settings: ModelSettings
  readonly options: CallOptions
  /** The most web searches that the provider may run for it. */
  readonly webSearches: number
}

/**
 * Makes a model call within the limits of its scope. Where a limit ends the work, the same call goes out as the closing
 * call instead, once. Throws `LimitExceededError` where there is none, or it cannot be paid.
 */
export async function callGoverned<Answer>(call: LoopCall, send: Send<Answer>): Promise<Answer> {
  const { loop, model, settings, options, webSearches } = call
  const { scope } = loop
  const { spec, ...rest } = modelRequest(loop, model, settings, options)
  const request = { ...rest, spec: { ...spec, ...(webSearches === 0 ? {} : { webSearches }) } }
  const outcome = await unlessCalledOff(options.abortSignal, (begin) =>
    scope.callModel(request.spec, attempt(loop, request, false, send, begin)),
  )
  if ('value' in outcome) {
    // Whatever had stopped it was raised.
    loop.stoppedBy = null
    return outcome.value.answer
  }
  const breaches = breachesOf(outcome)
  loop.stoppedBy = breaches
  if (breaches === null) throw options.abortSignal?.reason ?? scope.signal.reason
  const [{ action }] = breaches
  if (!loop.wrapsUp || loop.closingText !== null || action === 'pause') throw new LimitExceededError(breaches)
  return close(call, breaches, send)
}

/** The closing call, made to fit: the oldest tool results are left out first. */
async function close<Answer>(call: LoopCall, breaches: Breaches, send: Send<Answer>): Promise<Answer> {
  const { loop, model, settings, options } = call
  const closing = closingOptions(options, breaches[0])
  for (const request of closingRequests(loop, model, settings, closing)) {
    const outcome = await unlessCalledOff(options.abortSignal, (begin) =>
      loop.scope.callWrapUp(request.spec, attempt(loop, request, true, send, begin)),
    )
    if ('value' in outcome) return outcome.value.answer
    if (outcome.granted || !isAboutSize(outcome.breaches)) break
  }
  throw new LimitExceededError(breaches)
}

function attempt<Answer>(
  loop: AgentLoop,
  request: ModelRequest,
  isClosing: boolean,
  send: Send<Answer>,
  begin: () => void,
) {
  return async (grant: ModelGrant) => {
    begin()
    const options = sentOptions(loop, request, grant)
    const sent = await send({ options, isClosing, request, grant })
    rememberUsage(loop, request, sent.usage)
    return sent
  }
}

/** Whether a shorter prompt could help. */
function isAboutSize(breaches: Breaches): boolean {
  return breaches.every(({ meter }) => /tokens$|cost$/i.test(meter))
}

function breachesOf(outcome: Exclude<CallOutcome<unknown>, { value: unknown }>): Breaches | null {
  if (!outcome.granted) return outcome.breaches
  return outcome.breach === null ? null : [outcome.breach]
}

/**
 * Waits for a call to be let in, unless its caller goes away first: then nothing is sent. From when it was sent on, the
 * call itself heeds the signal.
 */
async function unlessCalledOff<Outcome>(
  signal: AbortSignal | undefined,
  start: (begin: () => void) => Promise<Outcome>,
): Promise<Outcome> {
  let hasBegun = false
  let callOff: (reason: unknown) => void = () => {}
  const calledOff = new Promise<never>((_, reject) => {
    callOff = reject
  })
  const onAbort = (): void => {
    if (!hasBegun) callOff(signal?.reason)
  }
  const begin = (): void => {
    if (signal?.aborted === true) throw new CallNotSentError(signal.reason)
    hasBegun = true
  }
  signal?.throwIfAborted()
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([start(begin), calledOff])
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}
