import { type AnswerRequest, type IncreaseRecord, type ScopeReading, StintError } from '../../core/index.ts'
import { MOST_SCOPES } from '../find/find-scope.ts'
import type { Operator } from '../operator.ts'
import { endTree } from '../scopes/end-tree.ts'
import { isOwnerAlive } from '../scopes/scope-details.ts'
import { requestView } from '../views/scope-view.ts'

export interface AnsweredRequest {
  readonly request: IncreaseRecord
  /**
   * The scopes that waited for the answer after their process ended. If it was denied they have ended, except for runs
   * that may only not start more agents.
   */
  readonly left: readonly ScopeReading[]
}

/** Answers a request for more. If a ceiling or a scope above rules out an approval, the request is denied. */
export async function answerRequest(
  operator: Operator,
  { id: requestId }: IncreaseRecord,
  answer: Pick<AnswerRequest, 'verdict' | 'amount'>,
): Promise<AnsweredRequest> {
  const { store, by, nowMs } = operator
  const outcome = await store.answer({ requestId, ...answer, by, atMs: nowMs() })
  if (outcome.kind === 'unknown') throw new StintError('unknown_request', `The request ${requestId} no longer exists.`)
  const { request } = outcome
  if (outcome.kind === 'duplicate') {
    const who = request.by === null ? '' : ` by ${request.by}`
    throw new StintError('unknown_request', `That request was already answered: ${request.status}${who}.`)
  }
  const open = await store.list({ standing: 'open', most: MOST_SCOPES, atMs: nowMs() })
  const left = open.filter((scope) => {
    return scope.pause?.requestId === requestId && isOwnerAlive(operator, scope) === false
  })
  if (request.status !== 'approved') {
    for (const scope of left) if (endsWhenDenied(scope, request)) await endTree(operator, scope.id, 'limit-reached')
  }
  return { request, left }
}

/** A run that may not start more agents continues without them. A group has nothing else to do. */
export function endsWhenDenied({ kind }: ScopeReading, { meter }: IncreaseRecord): boolean {
  return kind === 'group' || meter !== 'spawns'
}

export function answeredRequestView({ request, left }: AnsweredRequest) {
  return { request: requestView(request), left: left.map(({ id }) => id) }
}
