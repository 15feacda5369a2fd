import { APICallError } from 'ai'
import { type Breach, type Breaches, isElasticMeter, isStintError, LimitExceededError } from '../../../core/index.ts'
import {
  type CallOutcome,
  cutAtBudget,
  cutShortBy,
  type ModelGrant,
  repeatWrapUp,
  type ServedAs,
} from '../../../governor/index.ts'
import type { Usage } from '../../../pricing/index.ts'
import type { AgentLoop } from '../agent-loop.ts'
import { rememberUsage } from './answer-usage.ts'
import { closingOptions, closingRequests, isFormForced, keepsForm, shortClosingRequest } from './closing-request.ts'
import type { AnswerPart, CallOptions, LanguageModelV3 } from './language-model.ts'
import { type ModelRequest, type ModelSettings, modelRequest, sentOptions } from './model-request.ts'
import { noteText } from './note-text.ts'
import { createPromptCounter, type PromptCounter } from './prompt-counter.ts'
import { type BoundedRequest, boundProviderTools, countProviderCalls } from './provider-tools.ts'
import { withoutAll } from './tool-bounds.ts'
import { unlessCalledOff } from './unless-called-off.ts'
import { withoutUselessRetry } from './without-useless-retry.ts'

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
  readonly served: ServedAs
  readonly text: string
  /** The model stopped because of the output cap. */
  readonly isCutByCap: boolean
  /** It broke off: what its usage leaves open is not known. */
  readonly isCut?: boolean
}

/** Sends a request, and returns when its answer has come to its end. */
export type Send<Answer> = (attempt: Attempt) => Promise<Sent<Answer>>

/** How one kind of answer is made. */
export interface Door<Answer> {
  readonly send: Send<Answer>
  /** A closing answer with another text in place of its own, as one that ended regularly. */
  readonly withText: (answer: Answer, text: string) => Answer
}

/** The model call of a loop, as it came from the AI SDK. */
export interface LoopCall {
  readonly loop: AgentLoop
  readonly model: LanguageModelV3
  readonly settings: ModelSettings
  readonly options: CallOptions
}

/**
 * Makes a model call within the limits of its scope. Where a limit ends the work, the same call goes out as the closing
 * call instead, once. Throws `LimitExceededError` where there is none, or it cannot be paid, or it fails for good.
 */
export async function callGoverned<Answer>(call: LoopCall, door: Door<Answer>): Promise<Answer> {
  const { loop, model, settings, options } = call
  const { scope } = loop
  const asked = modelRequest(loop, model, settings, options)
  const bounded = await boundProviderTools(loop, asked, settings.allowsUnboundedTools === true)
  const counter = createPromptCounter(loop, model, settings)
  // What tools of the provider bring in is read again and again, and a count says nothing of that.
  const mayCount = bounded.request.spec.inputTokens === asked.spec.inputTokens
  const spec = { ...bounded.request.spec, ...(mayCount ? counter.specFor(bounded.request) : {}) }
  const outcome = await unlessCalledOff(options.abortSignal, (begin) =>
    scope.callModel(spec, attempt(loop, { ...bounded, isClosing: false, begin, send: door.send })),
  ).catch((error: unknown): never => {
    throw withoutUselessRetry(error)
  })
  if (outcome.kind === 'done') {
    await noteCut(call, bounded.request, outcome.value, outcome.clampedTo)
    return outcome.value.answer
  }
  const breaches = breachesOf(outcome)
  loop.stoppedBy = breaches
  if (breaches === null) throw options.abortSignal?.reason ?? scope.signal.reason
  const [{ action }] = breaches
  const mayClose = loop.wrapsUp && loop.closingText === null && action !== 'pause'
  if (!mayClose || searchesByItself(bounded)) throw new LimitExceededError(breaches)
  return close(call, bounded, { breaches, asked, counter }, door)
}

interface ClosingReasons {
  readonly breaches: Breaches
  /** The call that became the closing one. */
  readonly asked: ModelRequest
  readonly counter: PromptCounter
}

/** The closing call, made to fit: the oldest tool results are left out first. */
async function close<Answer>(
  call: LoopCall,
  { tools, bound }: BoundedRequest,
  { breaches, asked, counter }: ClosingReasons,
  door: Door<Answer>,
): Promise<Answer> {
  const { loop, model, settings, options } = call
  const { send } = door
  const closing = closingOptions(model, options, breaches[0])
  // Where a form is forced, other tools may still be called, and nothing is set aside for those that the provider runs.
  const closed = (sent: CallOptions): CallOptions => (isFormForced(options) ? withoutAll(sent, tools) : sent)
  const known = () => counter.known() ?? { options, inputTokens: asked.spec.inputTokens }
  for (const fitted of closingRequests(loop, model, settings, closing, known)) {
    const sized = { ...fitted, options: closed(bound(fitted.options)) }
    const request = { ...sized, spec: { ...sized.spec, ...counter.specFor(sized) } }
    const outcome = await unlessCalledOff(options.abortSignal, (begin) =>
      loop.scope.callWrapUp(request.spec, attempt(loop, { request, tools, isClosing: true, begin, send })),
    ).catch((error: unknown): never => {
      throw isForOthers(error, options.abortSignal) ? error : new LimitExceededError(breaches, { cause: error })
    })
    if (outcome.kind === 'done') return answerOfUse(call, { request, tools, breach: breaches[0] }, outcome.value, door)
    if (outcome.kind === 'stopped' || !outcome.breaches.every(({ meter }) => isElasticMeter(meter))) break
  }
  throw new LimitExceededError(breaches)
}

interface Closing extends Pick<BoundedRequest, 'request' | 'tools'> {
  readonly breach: Breach
}

/**
 * The closing answer as it is handed back. One that is empty, or was cut by its output cap, is asked for once more, in
 * short, if that can be paid. Otherwise what there is of it says so.
 */
async function answerOfUse<Answer>(
  call: LoopCall,
  closing: Closing,
  first: Sent<Answer>,
  door: Door<Answer>,
): Promise<Answer> {
  const { loop, options } = call
  // One that broke off is handed back as it is: what was missing is not known.
  const isFinal = keepsForm(options) || first.isCut === true || isOfUse(first)
  const second = isFinal ? null : await askAgain(call, closing, first, door)
  const isSecond = second !== null && (isOfUse(second) || second.text.trim().length > first.text.trim().length)
  const sent = isSecond ? second : first
  if (isFinal || isOfUse(sent) || sent.text.trim() === '') {
    noteText(loop, sent.text, true)
    return sent.answer
  }
  const text = cutAtBudget(sent.text)
  noteText(loop, text, true)
  return door.withText(sent.answer, text)
}

function isOfUse({ text, isCutByCap, isCut = false }: Sent<unknown>): boolean {
  return !isCut && !isCutByCap && text.trim() !== ''
}

/** `null`: there is no room for it, or nothing came of it. */
async function askAgain<Answer>(
  call: LoopCall,
  { request: before, tools, breach }: Closing,
  first: Sent<Answer>,
  { send }: Door<Answer>,
): Promise<Sent<Answer> | null> {
  const { loop } = call
  try {
    const request = shortClosingRequest(call, before, breach, first.usage)
    const begin = (): void => {}
    const run = attempt(loop, { request, tools, isClosing: true, begin, send })
    const outcome = await repeatWrapUp(loop.scope, request.spec, run)
    return outcome.kind === 'done' ? outcome.value : null
  } catch {
    // The first answer is there all the same.
    return null
  }
}

/** Remembers which limit has cut an answer, by a cap that was not the caller's own. */
async function noteCut(
  { loop, options }: LoopCall,
  request: ModelRequest,
  { isCutByCap }: Sent<unknown>,
  clampedTo: number | null,
): Promise<void> {
  const isCapOurs = clampedTo !== null || options.maxOutputTokens === undefined
  loop.cutBy = isCutByCap && isCapOurs ? await cutShortBy(loop.scope, request.spec).catch(() => null) : null
}

/** A model that searches by itself would do so in its last answer, too. */
function searchesByItself({ tools }: BoundedRequest): boolean {
  return tools.some(({ isBuiltIn }) => isBuiltIn === true)
}

/** Whether what became of a closing call is not the limit's: it was called off, or the AI SDK will try it again. */
function isForOthers(error: unknown, signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true || isStintError(error) || (APICallError.isInstance(error) && error.isRetryable)
}

interface AttemptOptions<Answer> extends Pick<BoundedRequest, 'request' | 'tools'> {
  readonly isClosing: boolean
  readonly begin: () => void
  readonly send: Send<Answer>
}

function attempt<Answer>(loop: AgentLoop, { request, tools, isClosing, begin, send }: AttemptOptions<Answer>) {
  return async (grant: ModelGrant) => {
    begin()
    // Whatever had stopped it was raised, or resumed.
    if (!isClosing) Object.assign(loop, { stoppedBy: null, cutBy: null, isHeldUp: false, closingText: null })
    const options = sentOptions(loop, request, grant)
    const sent = await send({ options, isClosing, request, grant })
    grant.servedAs(sent.served)
    grant.count(countProviderCalls({ request, tools }, sent.content))
    rememberUsage(loop, request, sent)
    return { value: sent, usage: sent.usage, isCut: sent.isCut }
  }
}

function breachesOf(outcome: Exclude<CallOutcome<unknown>, { value: unknown }>): Breaches | null {
  if (outcome.kind === 'refused') return outcome.breaches
  return outcome.by === null ? null : [outcome.by]
}
