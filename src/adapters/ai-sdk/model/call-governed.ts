import { APICallError } from 'ai'
import { type Breaches, isStintError, LimitExceededError } from '../../../core/index.ts'
import { edgeOf } from '../../../governor/edge.ts'
import type { ServedAs } from '../../../governor/index.ts'
import { governCall } from '../../../loop/govern-call.ts'
import type { Attempt, LoopCall, SentAnswer } from '../../../loop/loop-call.ts'
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

/** An answer that has come to its end, as the model gave it. */
export interface Given<Answer> {
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

/** What is asked of the model. */
export interface Asked extends Pick<Attempt, 'grant' | 'isHeldBack'> {
  readonly options: CallOptions
  readonly isClosing: boolean
}

/** How one kind of answer is made. */
export interface Door<Answer> {
  /** Returns when the answer has come to its end. */
  send(asked: Asked): Promise<Given<Answer>>
  /** Whether nothing of an answer was handed on yet. */
  isHeld(answer: Answer): boolean
  /** An answer with another text in place of its own, as one that ended regularly. */
  withText(answer: Answer, text: string): Answer
  /** Whether the caller has cancelled the answer, for doors that can tell. */
  isLeft?(): boolean
}

/** What is done with an answer before it is handed on. */
export interface AnswerSteps {
  /** A stream is there once it has begun to answer: until then another model may answer in its place. */
  readonly waitsForAnswer?: boolean
  /** Records a whole answer. None of its tool calls is made before this has resolved. */
  readonly onAnswer?: (content: readonly AnswerPart[]) => Promise<void>
}

/** The model call of a loop, as it came from the AI SDK. */
export interface GovernedCall {
  readonly loop: AgentLoop
  readonly model: LanguageModelV3
  readonly settings: ModelSettings
  /** Whether the agent is told of its budget. */
  readonly hasHints: boolean
  readonly options: CallOptions
  readonly steps: AnswerSteps
}

interface Sent<Answer> extends SentAnswer {
  readonly answer: Answer
}

/** Names the reservation on the wire, so that a gateway of the same ledger counts the call once. */
const RESERVATION_HEADER = 'x-stint-reservation'

/**
 * Makes a model call within the limits of its scope. Where a limit ends the work, the same call goes out as the closing
 * call instead, once. Throws `LimitExceededError` where there is none, or it cannot be paid, or it fails for good.
 */
export async function callGoverned<Answer>(call: GovernedCall, door: Door<Answer>): Promise<Answer> {
  const { loop, options } = call
  let refusedBy: Breaches | null = null
  const onRefused = (breaches: Breaches): void => {
    refusedBy = breaches
    loop.stoppedBy = breaches
  }
  try {
    const end = await governCall({ ...loopCallOf(call, door), onRefused })
    if (end.kind === 'answered') {
      const { sent, planned, cutBy } = end
      if (planned.isClosing) noteText(loop, sent.text, true)
      else Object.assign(loop, { cutBy, stoppedBy: null })
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

function refuse(loop: AgentLoop, breaches: Breaches): never {
  loop.stoppedBy = breaches
  throw new LimitExceededError(breaches)
}

/** Whether what became of a closing call is not the limit's: it was called off, or the AI SDK will try it again. */
function isForOthers(error: unknown, signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true || isStintError(error) || (APICallError.isInstance(error) && error.isRetryable)
}

function loopCallOf<Answer>(call: GovernedCall, door: Door<Answer>): LoopCall<ModelRequest, Sent<Answer>> {
  const { loop, model, settings, hasHints, options } = call
  const { phase, input, namedBy, allowsUnboundedTools, countTokens } = settings
  const { provider, modelId } = model
  const limits = edgeOf(loop.scope).pathLimits()
  // A line that was shown once stays, also where its limits are gone.
  const tells = hasHints && (limits.hasAny || loop.promptLine !== null)
  // A slot for the line is filled even where there is nothing to say.
  const edited = (request: ModelRequest, edits: RequestEdits): CallOptions =>
    editRequest(request, tells ? { ...edits, promptLine: edits.promptLine ?? '' } : edits)
  const request = modelRequest(model, options)
  return {
    state: loop,
    limits,
    request,
    settings: {
      spec: {
        ...(providerOf(provider) === undefined ? {} : { provider: providerOf(provider)! }),
        ...(phase === undefined ? {} : { phase }),
        ...(options.abortSignal === undefined ? {} : { signal: options.abortSignal }),
        ...(namedBy === undefined ? {} : { namedBy }),
      },
      mayClose: loop.wrapsUp && loop.closingText === null,
      tells,
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
    // Where nothing was said, what was said before is handed back instead.
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
  // Whatever had stopped it was raised, or resumed.
  if (!isClosing) Object.assign(loop, { stoppedBy: null, cutBy: null, isHeldUp: false, closingText: null })
  const { abortSignal, headers } = options
  const signal = abortSignal === undefined ? grant.signal : AbortSignal.any([abortSignal, grant.signal])
  // Without limits the request is the one that was asked for, unless a gateway above must know that it is counted.
  const isNamed = loop.scope.limits().length > 0 || edgeOf(loop.scope).isWithinAnother()
  const named = isNamed ? { headers: { ...headers, [RESERVATION_HEADER]: grant.reservationId } } : {}
  const given = await door.send({
    options: { ...options, ...named, abortSignal: signal },
    isClosing,
    grant,
    isHeldBack,
  })
  const { answer, content, usage, served, text, isCutByCap, isCut = false } = given
  grant.servedAs(served)
  grant.count(countProviderCalls(request, edits, planned, content))
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
