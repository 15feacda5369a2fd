import type { ServerResponse } from 'node:http'
import type { Answer } from '../answer/answer.ts'
import { planAnswer } from '../answer/plan-answer.ts'
import { type CountedUsage, NOTHING_USED } from '../counting/counted-usage.ts'
import type { ProviderDialect } from '../dialects/provider-dialect.ts'
import { textOf } from '../json/json-value.ts'
import type { BookLine, BookOutcome } from '../provider-book.ts'
import { ProviderRefusal } from '../provider-refusal.ts'
import type { ProviderRequest } from '../provider-request.ts'
import type { ProviderTurn } from '../provider-turn.ts'
import type { RecordedRequest } from '../scripted-provider.ts'
import { parseBody } from './parse-body.ts'
import { chunksOf, piecesOfBody } from './pieces.ts'
import type { ProviderState } from './provider-state.ts'
import { sendAnswer } from './send-answer.ts'
import { sendError } from './send-json.ts'

// The thinking of a model that is asked to think, if the script doesn't say how much.
const THOUGHT_TOKENS = 3

/** One model call, from the body to the last byte, with its line in the book. */
export async function answerCall(
  state: ProviderState,
  dialect: ProviderDialect,
  recorded: RecordedRequest,
  response: ServerResponse,
  gone: AbortSignal,
): Promise<void> {
  let line: BookLine | null = null
  const open = (model: string) => {
    line = state.keeper.open({ number: recorded.number, dialect: dialect.name, model })
    return line
  }
  try {
    const body = parseBody(recorded.body, dialect)
    open(textOf(body.model))
    const { number, headers } = recorded
    const request = dialect.readRequest(body, { number, headers, ...state })
    await perform(state, dialect, request, line!, response, gone)
  } catch (error) {
    const refusal = error instanceof ProviderRefusal ? error : new ProviderRefusal(500, `The script failed: ${error}`)
    const outcome = refusal.status < 500 ? 'refused' : 'failed'
    ;(line ?? open('')).close({ outcome, status: refusal.status, usage: NOTHING_USED, toolCalls: 0 })
    sendError(response, dialect, refusal, recorded.number)
  }
}

async function perform(
  state: ProviderState,
  dialect: ProviderDialect,
  request: ProviderRequest,
  line: BookLine,
  response: ServerResponse,
  gone: AbortSignal,
): Promise<void> {
  const turn = await state.nextTurn(request)
  await turn.startGate?.wait(gone)
  const failure = failureOf(turn, request.isStream)
  if (failure !== null) {
    line.close({ outcome: 'failed', status: failure.status, usage: NOTHING_USED, toolCalls: 0 })
    const { fault } = turn
    if (fault?.kind === 'no-answer') response.socket?.destroy()
    else
      sendError(
        response,
        dialect,
        failure,
        request.number,
        fault?.kind === 'status' ? fault.retryAfterSeconds : undefined,
      )
    return
  }
  const answer = planFor(state, request, turn)
  const kept = dialect.keptConversation?.(answer) ?? null
  if (kept !== null) state.keepConversation(kept.id, kept.items)
  const toolCalls = answer.choices.reduce((sum, choice) => sum + choice.toolCalls.length, 0)
  const close = (outcome: BookOutcome, usage: CountedUsage) => line.close({ outcome, status: 200, usage, toolCalls })
  const sent = await sendPlanned(state, dialect, answer, turn, response, gone, () => close('answered', answer.usage))
  // A stream that ended early is billed up to there; a JSON answer is complete before it is sent.
  const outputTokens = Math.min(sent.outputTokens, answer.usage.outputTokens)
  close(sent.outcome, request.isStream ? { ...answer.usage, outputTokens } : answer.usage)
}

function failureOf({ fault }: ProviderTurn, isStream: boolean): ProviderRefusal | null {
  switch (fault?.kind) {
    case 'status': {
      const { status, message = `The script says ${status}.`, type, code } = fault
      return new ProviderRefusal(status, message, { type: type ?? null, code: code ?? null })
    }
    case 'error-event':
      return isStream ? null : streamError(fault)
    case 'no-answer':
      return new ProviderRefusal(0, 'no answer')
    default:
      return null
  }
}

function streamError({
  status = 529,
  message = 'Overloaded',
}: {
  readonly status?: number
  readonly message?: string
}) {
  return new ProviderRefusal(status, message)
}

function planFor(state: ProviderState, request: ProviderRequest, turn: ProviderTurn): Answer {
  const isMarked = request.dialect === 'anthropic-messages'
  const prompt = isMarked
    ? state.cache.countMarked(request.model, request.prompt)
    : state.cache.countAutomatic(request.model, request.prompt)
  prompt.remember()
  return planAnswer(turn, request, {
    serial: `s${String(request.number).padStart(8, '0')}`,
    createdAtSeconds: state.nowSeconds(),
    rule: state.rule,
    prompt,
    reasoningTokens: state.modelOf(request.model)?.reasoningTokens ?? THOUGHT_TOKENS,
  })
}

function sendPlanned(
  state: ProviderState,
  dialect: ProviderDialect,
  answer: Answer,
  turn: ProviderTurn,
  response: ServerResponse,
  gone: AbortSignal,
  onWhole: () => void,
) {
  const { isStream } = answer.request
  const body = isStream ? '' : JSON.stringify(dialect.answerBody(answer))
  const pieces = isStream ? dialect.answerPieces(answer, state.rule) : piecesOfBody(body, answer.usage.outputTokens)
  response.writeHead(200, {
    ...(isStream
      ? { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    [dialect.name === 'anthropic-messages' ? 'request-id' : 'x-request-id']: `req_${answer.serial}`,
  })
  const errorEvent = turn.fault?.kind === 'error-event' ? dialect.errorEvent(streamError(turn.fault)) : ''
  return sendAnswer(response, chunksOf(pieces, turn.chunkBytes), turn, errorEvent, gone, onWhole)
}
