import { APICallError } from 'ai'
import { type Breaches, isStintError, LimitExceededError } from '../../../core/index.ts'
import { edgeOf, type ServedBy } from '../../../governor/edge.ts'
import type { AgentCall, Attempt, SentAnswer } from '../../../loop/agent-call.ts'
import type { Attempts } from '../../../loop/attempts.ts'
import { governCall } from '../../../loop/govern-call.ts'
import type { RequestEdits } from '../../../loop/request-view.ts'
import type { Usage } from '../../../pricing/index.ts'
import type { AgentLoop } from '../agent-loop.ts'
import { countedBy } from './answer-usage.ts'
import { editRequest } from './edit-request.ts'
import type { AnswerPart, CallOptions, LanguageModelV3 } from './language-model.ts'
import { type ModelRequest, modelRequest } from './model-request.ts'
import type { ModelSettings } from './model-settings.ts'
import { noteText } from './note-text.ts'
import { countProviderCalls } from './provider-tools.ts'
import { unlessCalledOff } from './unless-called-off.ts'
import { withoutUselessRetry } from './without-useless-retry.ts'

/** A finished answer, as the model gave it. */
export interface Given<Answer> {
  readonly answer: Answer
  readonly content: readonly AnswerPart[]
  readonly usage: Partial<Usage> | null
  readonly servedBy: ServedBy
  readonly text: string
  /** The model stopped at the output cap. */
  readonly isCutByCap: boolean
  /** It broke off: what its usage does not say is unknown. */
  readonly isCut?: boolean
}

/** A request to the model. */
export interface Asked extends Pick<Attempt, 'grant' | 'isHeldBack'> {
  readonly options: CallOptions
  readonly isClosing: boolean
}

/** How one kind of answer (whole or streamed) is made. */
export interface Door<Answer> {
  /** Resolves when the answer is finished. */
  send(asked: Asked): Promise<Given<Answer>>
  /** Whether nothing of an answer has been passed on yet. */
  isHeld(answer: Answer): boolean
  /** An answer with its text replaced, as one that ended normally. */
  withText(answer: Answer, text: string): Answer
  /** Whether the caller has cancelled the answer, if that can be known. */
  isLeft?(): boolean
}

/** What happens to an answer before it is passed on. */
export interface AnswerSteps {
  /** Returns a stream only once it has begun to answer: until then another model may answer instead. */
  readonly waitsForAnswer?: boolean
  /** Records a complete answer. None of its tool calls is made before this resolves. */
  readonly onAnswer?: (content: readonly AnswerPart[]) => Promise<void>
}

/** The model call of a loop, as received from the AI SDK. */
export interface GovernedCall {
  readonly loop: AgentLoop
  readonly model: LanguageModelV3
  readonly settings: ModelSettings
  /** Whether the agent sees its budget. */
  readonly hasHints: boolean
  readonly options: CallOptions
  readonly steps: AnswerSteps
}

interface Sent<Answer> extends SentAnswer {
  readonly answer: Answer
}

/** Identifies the reservation on the wire, so that a gateway on the same ledger counts the call once. */
const RESERVATION_HEADER = 'x-stint-reservation'

/**
 * Makes a model call within the limits of its scope. If a limit ends the work, the same call is sent as the closing
 * call instead, once. Throws `LimitExceededError` if there is no closing call, it cannot be paid, or it fails for good.
 */
export async function callGoverned<Answer>(call: GovernedCall, door: Door<Answer>): Promise<Answer> {
  const { loop, options } = call
  let refusedBy: Breaches | null = null
  const onRefused = (breaches: Breaches): void => {
    refusedBy = breaches
    loop.stoppedBy = breaches
  }
  try {
    const end = await governCall({ ...agentCallOf(call, door), onRefused })
    if (end.kind === 'answered') {
      const { sent, planned, cutBy } = end
      if (planned.isClosing) noteText(loop, sent.text, true)
      else Object.assign(loop, { cutBy, stoppedBy: null })
      ATTEMPTS.delete(options.prompt)
      return sent.answer
    }
    if (end.kind === 'refused') return refuse(loop, end.breaches)
    if (end.kind === 'stopped' && end.breach !== null) return refuse(loop, [end.breach])
    loop.stoppedBy = null
    throw options.abortSignal?.reason ?? loop.scope.signal.reason
  } catch (error) {
    if (refusedBy === null || error instanceof LimitExceededError) throw withoutUselessRetry(error)
    throw isForOthers(error, options.abortSignal) ? error : new LimitExceededError(refusedBy, { cause: error })
  }
}

/**
 * The attempts at each prompt that was not answered yet. The AI SDK, and a queue of models, send the same object again.
 */
const ATTEMPTS = new WeakMap<object, Attempts>()

function attemptsAt(prompt: object): Attempts {
  const attempts = ATTEMPTS.get(prompt) ?? { sent: 0 }
  ATTEMPTS.set(prompt, attempts)
  return attempts
}

function refuse(loop: AgentLoop, breaches: Breaches): never {
  loop.stoppedBy = breaches
  throw new LimitExceededError(breaches)
}

/** Whether a closing call failed for a reason other than the limit: it was cancelled, or the AI SDK will retry it. */
function isForOthers(error: unknown, signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true || isStintError(error) || (APICallError.isInstance(error) && error.isRetryable)
}

function agentCallOf<Answer>(call: GovernedCall, door: Door<Answer>): AgentCall<ModelRequest, Sent<Answer>> {
  const { loop, model, settings, hasHints, options } = call
  const { phase, input, namedBy, allowsUnboundedTools, countTokens } = settings
  const { provider, modelId } = model
  const limits = edgeOf(loop.scope).pathLimits()
  // A line that was shown once stays, even if its limits are gone.
  const tells = hasHints && (limits.hasAny || loop.promptLine !== null)
  // A placeholder for the line is filled even if the line is empty.
  const edited = (request: ModelRequest, edits: RequestEdits): CallOptions =>
    editRequest(request, tells ? { ...edits, promptLine: edits.promptLine ?? '' } : edits)
  const request = modelRequest(model, options)
  return {
    state: loop,
    limits,
    request,
    attempts: attemptsAt(options.prompt),
    settings: {
      spec: {
        ...(providerOf(provider) === undefined ? {} : { provider: providerOf(provider)! }),
        ...(phase === undefined ? {} : { phase }),
        ...(options.abortSignal === undefined ? {} : { signal: options.abortSignal }),
        ...(namedBy === undefined ? {} : { namedBy }),
      },
      mayClose: loop.wrapsUp && loop.closingText === null,
      showsBudget: tells,
      reservesToolCall: false,
      allowsUnboundedTools: allowsUnboundedTools === true,
      ...(input === undefined ? {} : { input }),
      learned: { kind: `${provider}/${modelId}` },
    },
    edit: (original, edits) => modelRequest(model, edited(original, edits)),
    send: (attempt) => send(call, door, request, edited(request, attempt.edits), attempt),
    ask: (start) => unlessCalledOff(options.abortSignal, start),
    count:
      countTokens === undefined
        ? null
        : (asked, signal) => countTokens({ provider, modelId, options: asked.options, signal }),
    isReplaceable: ({ answer }) => door.isHeld(answer),
    // If the closing answer is empty, the previous text is returned instead.
    withText: (sent, text) =>
      sent.text.trim() === '' ? sent : { ...sent, text, answer: door.withText(sent.answer, text) },
    isOver: () => options.abortSignal?.aborted === true || door.isLeft?.() === true,
    refusalText(error) {
      if (!APICallError.isInstance(error) || (error.statusCode !== 400 && error.statusCode !== 422)) return null
      return error.responseBody ?? error.message
    },
  }
}

async function send<Answer>(
  { loop }: GovernedCall,
  door: Door<Answer>,
  request: ModelRequest,
  options: CallOptions,
  { planned, edits, grant, isHeldBack }: Attempt,
): Promise<Sent<Answer>> {
  const { isClosing } = planned
  // Whatever had stopped it was raised or resumed.
  if (!isClosing) Object.assign(loop, { stoppedBy: null, cutBy: null, isHeldUp: false, closingText: null })
  const { abortSignal, headers } = options
  const signal = abortSignal === undefined ? grant.signal : AbortSignal.any([abortSignal, grant.signal])
  // Without limits the request stays unchanged, unless a gateway above must know that it is counted.
  const isNamed = loop.scope.limits().length > 0 || edgeOf(loop.scope).isWithinAnother()
  const named = isNamed ? { headers: { ...headers, [RESERVATION_HEADER]: grant.reservationId } } : {}
  const given = await door.send({
    options: { ...options, ...named, abortSignal: signal },
    isClosing,
    grant,
    isHeldBack,
  })
  const { answer, content, usage, servedBy, text, isCutByCap, isCut = false } = given
  grant.report({ servedBy, ...countProviderCalls(request, edits, planned, content) })
  return {
    answer,
    usage,
    cap: grant.maxOutputTokens,
    isCut,
    isCutByCap,
    text,
    callsTools: content.some((part) => part.type === 'tool-call' && part.providerExecuted !== true),
    counted: countedBy(usage, content),
  }
}

const PROVIDERS: Readonly<Record<string, string>> = { 'amazon-bedrock': 'aws', bedrock: 'aws', vertex: 'google' }

function providerOf(provider: string): string | undefined {
  const [name = ''] = provider.split('.')
  if (name === '' || name === 'gateway') return undefined
  const [vendor = ''] = name.split('-')
  return PROVIDERS[name] ?? PROVIDERS[vendor] ?? vendor
}
