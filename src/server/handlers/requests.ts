import { type IncreaseRecord, StintError } from '../../core/index.ts'
import { answeredRequestView, answerRequest } from '../../operate/requests/answer-request.ts'
import { requestView } from '../../operate/views/scope-view.ts'
import { mayShow, operatorFor, type ServerContext } from '../server-context.ts'
import type { Caller } from '../session/caller.ts'
import type { Handlers } from './handler.ts'
import { onlyShown } from './only-shown.ts'

const MOST_REQUESTS = 1_000

/** Requests for more of a limit. */
export const REQUEST_HANDLERS: Pick<
  Handlers,
  'GET /api/requests' | 'POST /api/requests/:id/approve' | 'POST /api/requests/:id/deny'
> = {
  async 'GET /api/requests'({ context, caller, query }) {
    const { status } = query
    const found = await context.store.requests({ ...(status === undefined ? {} : { status }), most: MOST_REQUESTS })
    const shown = await onlyShown(context, caller, found, ({ scopeId }) => scopeId)
    return { requests: shown.map(requestView), isTruncated: found.length >= MOST_REQUESTS }
  },

  async 'POST /api/requests/:id/approve'({ context, caller, params, body }) {
    const request = await shownRequest(context, caller, params.id)
    const amount = body.amount === undefined ? {} : { amount: body.amount }
    return answeredRequestView(
      await answerRequest(operatorFor(context, caller), request, { verdict: 'approved', ...amount }),
    )
  },

  async 'POST /api/requests/:id/deny'({ context, caller, params }) {
    const request = await shownRequest(context, caller, params.id)
    return answeredRequestView(await answerRequest(operatorFor(context, caller), request, { verdict: 'denied' }))
  },
}

async function shownRequest(context: ServerContext, caller: Caller, id: string): Promise<IncreaseRecord> {
  const [request] = await context.store.requests({ requestId: id })
  const path =
    request === undefined ? null : await context.store.read({ scopeId: request.scopeId, atMs: context.nowMs() })
  const ids = (path ?? []).map((scope) => scope.id)
  if (request === undefined || !mayShow(caller, ids)) {
    throw new StintError('unknown_request', `No request has the id ${JSON.stringify(id)}.`)
  }
  return request
}
