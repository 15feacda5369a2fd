import type { IncreaseRecord, Limit, RequestFilter, ScopeReading } from '../../core/index.ts'
import { findById } from '../find/find-by-id.ts'
import type { LedgerReader } from '../operator.ts'
import { requestView } from '../views/scope-view.ts'
import { requestedLimit } from './requested-limit.ts'

/** A request for more, and the limit that it is about. */
export interface ListedRequest {
  readonly request: IncreaseRecord
  readonly limit: Pick<Limit, 'source' | 'per'>
}

export interface RequestList {
  readonly requests: readonly ListedRequest[]
  readonly isTruncated: boolean
}

const MOST_REQUESTS = 1000

/** Requests for more, the earliest first. */
export async function listRequests(reader: LedgerReader, filter: Pick<RequestFilter, 'status'>): Promise<RequestList> {
  const { store, nowMs } = reader
  const found = await store.requests({ ...filter, most: MOST_REQUESTS })
  const scopes = new Map<string, ScopeReading | null>()
  for (const { scopeId } of found) {
    if (!scopes.has(scopeId)) scopes.set(scopeId, (await store.read({ scopeId, atMs: nowMs() }))?.at(-1) ?? null)
  }
  const requests = found.map((request) => {
    return { request, limit: requestedLimit(scopes.get(request.scopeId) ?? null, request) }
  })
  return { requests, isTruncated: found.length >= MOST_REQUESTS }
}

export function requestListView({ requests, isTruncated }: RequestList) {
  return { requests: requests.map(({ request }) => requestView(request)), isTruncated }
}

/** The request with this id, or with an id that starts so. */
export async function findRequest({ store, nowMs }: LedgerReader, text: string): Promise<ListedRequest> {
  const remedy = '`stint requests` lists those that wait for an answer.'
  const request = findById(await store.requests({}), text, { code: 'unknown_request', what: 'request', remedy })
  const scope = (await store.read({ scopeId: request.scopeId, atMs: nowMs() }))?.at(-1) ?? null
  return { request, limit: requestedLimit(scope, request) }
}
