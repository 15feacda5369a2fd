import type { AnswerRequest, IncreaseRecord } from '../../core/index.ts'
import type { GovernorContext } from '../scope/scope-runtime.ts'
import { answerIncrease } from './answer-increase.ts'
import { catchUp } from './catch-up.ts'
import { type IncreaseRequest, requestFromRecord } from './increase.ts'
import { UnknownRequestError } from './unknown-request-error.ts'

/** Answers a request of any process. An approved increase is in force when this resolves. */
export async function answerRequest(
  context: GovernorContext,
  answer: Omit<AnswerRequest, 'atMs'>,
): Promise<IncreaseRequest> {
  const outcome = await context.store.answer({ ...answer, atMs: context.clock.wallMs() })
  if (outcome.kind !== 'answered') throw new UnknownRequestError(answer.requestId)
  await hearAnswer(context, outcome.request)
  return requestFromRecord(outcome.request)
}

/** Lets callers waiting here for a request continue, with the current limits. */
export async function hearAnswer(context: GovernorContext, record: IncreaseRecord): Promise<void> {
  const { status, granted, by } = record
  const runtime = context.living.get(record.scopeId)
  if (runtime === undefined || status === 'open') return
  await catchUp(runtime, by)
  const increase = context.increases.get(record.id)
  if (increase === undefined) return
  const answer = status === 'approved' ? { status, granted: granted ?? 0, by } : { status, by }
  answerIncrease(runtime, increase, answer)
}
