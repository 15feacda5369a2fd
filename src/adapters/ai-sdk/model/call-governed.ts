import { APICallError } from 'ai'
import { type Breaches, isElasticMeter, isStintError, LimitExceededError } from '../../../core/index.ts'
import type { CallOutcome, ModelGrant } from '../../../governor/index.ts'
import type { Usage } from '../../../pricing/index.ts'
import type { AgentLoop } from '../agent-loop.ts'
import { rememberUsage } from './answer-usage.ts'
import { closingOptions, closingRequests, isFormForced } from './closing-request.ts'
import type { AnswerPart, CallOptions, LanguageModelV3 } from './language-model.ts'
import { type ModelRequest, type ModelSettings, modelRequest, sentOptions } from './model-request.ts'
import { boundProviderTools, searchesRun, settleProviderTools } from './provider-tools.ts'
import { mostSearches, type ProviderTools } from './tool-bounds.ts'
import { unlessCalledOff } from './unless-called-off.ts'
import { createWireRecord, type WireRecord } from './wire-record.ts'

/** What is sent. */
export interface Attempt {
  readonly options: CallOptions
  readonly isClosing: boolean
  readonly request: ModelRequest
  readonly grant: ModelGrant
}

/** An answer that has come to its end. */
export interface Sent<Answer> {
  readonly answer: Answer
  readonly content: readonly AnswerPart[]
  readonly usage: Partial<Usage> | null
}

/** Sends a request, and returns when its answer has come to its end. */
export type Send<Answer> = (attempt: Attempt) => Promise<Sent<Answer>>

/** The model call of a loop, as it came from the AI SDK. */
export interface LoopCall {
  readonly loop: AgentLoop
  readonly model: LanguageModelV3
  readonly settings: ModelSettings
  readonly options: CallOptions
}

/** The same, with all that it needs to go out. */
interface BoundCall<Answer> extends LoopCall {
  /** What its provider may run for it. */
  readonly tools: ProviderTools
  readonly wire: WireRecord
  readonly send: Send<Answer>
}

/**
 * Makes a model call within the limits of its scope. Where a limit ends the work, the same call goes out as the closing
 * call instead, once. Throws `LimitExceededError` where there is none, or it cannot be paid, or it fails for good.
 */
export async function callGoverned<Answer>(call: LoopCall, send: Send<Answer>): Promise<Answer> {
  const { scope } = call.loop
  const bounded = await boundProviderTools(scope, call.options)
  const { options, tools } = bounded
  const wire = createWireRecord()
  try {
    return await work({ ...call, options, tools, wire, send })
  } finally {
    await settleProviderTools(scope, bounded, wire)
  }
}

async function work<Answer>(call: BoundCall<Answer>): Promise<Answer> {
  const { loop, model, settings, options } = call
  const { scope } = loop
  const request = withSearches(call, modelRequest(loop, model, settings, options))
  const outcome = await unlessCalledOff(options.abortSignal, (begin) =>
    scope.callModel(request.spec, attempt(call, request, false, begin)),
  )
  if ('value' in outcome) return outcome.value.answer
  const breaches = breachesOf(outcome)
  loop.stoppedBy = breaches
  if (breaches === null) throw options.abortSignal?.reason ?? scope.signal.reason
  const [{ action }] = breaches
  if (!loop.wrapsUp || loop.closingText !== null || action === 'pause') throw new LimitExceededError(breaches)
  return close(call, breaches)
}

/** The closing call, made to fit: the oldest tool results are left out first. */
async function close<Answer>(call: BoundCall<Answer>, breaches: Breaches): Promise<Answer> {
  const { loop, model, settings, options } = call
  const closing = closingOptions(model, options, breaches[0])
  for (const fitted of closingRequests(loop, model, settings, closing)) {
    // A form that is forced may be that of a tool which the provider runs.
    const request = isFormForced(options) ? withSearches(call, fitted) : fitted
    const outcome = await unlessCalledOff(options.abortSignal, (begin) =>
      loop.scope.callWrapUp(request.spec, attempt(call, request, true, begin)),
    ).catch((error: unknown): never => {
      throw isForOthers(error, options.abortSignal) ? error : new LimitExceededError(breaches, { cause: error })
    })
    if ('value' in outcome) return outcome.value.answer
    if (outcome.granted || !outcome.breaches.every(({ meter }) => isElasticMeter(meter))) break
  }
  throw new LimitExceededError(breaches)
}

/** The request with the most web searches that its provider may run for it. */
function withSearches({ tools }: { readonly tools: ProviderTools }, request: ModelRequest): ModelRequest {
  const webSearches = mostSearches(tools)
  return webSearches === 0 ? request : { ...request, spec: { ...request.spec, webSearches } }
}

/** Whether what became of a closing call is not the limit's: it was called off, or the AI SDK will try it again. */
function isForOthers(error: unknown, signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true || isStintError(error) || (APICallError.isInstance(error) && error.isRetryable)
}

function attempt<Answer>(
  { loop, tools, wire, send }: BoundCall<Answer>,
  request: ModelRequest,
  isClosing: boolean,
  begin: () => void,
) {
  return async (grant: ModelGrant) => {
    begin()
    // Whatever had stopped it was raised, or resumed.
    if (!isClosing) Object.assign(loop, { stoppedBy: null, isHeldUp: false, closingText: null })
    const options = sentOptions(loop, request, grant)
    const sent = await wire.send((noteFirstByte) => {
      const firstByte = (): void => {
        noteFirstByte()
        grant.firstByte()
      }
      return send({ options, isClosing, request, grant: { ...grant, firstByte } })
    })
    rememberUsage(loop, request, sent)
    return request.spec.webSearches === undefined ? sent : { ...sent, webSearches: searchesRun(tools, sent.content) }
  }
}

function breachesOf(outcome: Exclude<CallOutcome<unknown>, { value: unknown }>): Breaches | null {
  if (!outcome.granted) return outcome.breaches
  return outcome.breach === null ? null : [outcome.breach]
}
