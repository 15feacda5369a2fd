import {
  type AnswerOutcome,
  type AnswerRequest,
  type AskOutcome,
  type AskRequest,
  type IncreaseRecord,
  isEnded,
  type Limit,
  mostUnder,
  roomToRaise,
  storableText,
  storableTextOrNull,
} from '../../core/index.ts'
import { keepRequest } from './keep-request.ts'
import { setLimits } from './set-limits.ts'
import { type Ledger, scopeIn } from './state/ledger.ts'
import type { LimitState, ScopeState } from './state/ledger-state.ts'
import { turnPath } from './state/scope-state.ts'

/** Requests more of a limit, or joins an open request for it. */
export function askForMore(ledger: Ledger, request: AskRequest): AskOutcome {
  const { requestId, scopeId, key, settled, mayBeCut = false, reason, expiresAtMs, atMs } = request
  const known = ledger.requests.get(requestId)
  if (known !== undefined) return { kind: 'asked', request: known }
  const open = ledger.requests.openFor(key)
  if (open !== undefined) return { kind: 'joined', request: open }
  const scope = scopeIn(ledger, scopeId)
  const limit = limitUnder(scope, key)?.limit
  if (limit === undefined || isEnded(scope.status)) return { kind: 'unknown' }
  const most = mayBeCut ? mostToGive(scope, limit, atMs) : 0
  const asked = most > 0 ? Math.min(request.asked, most) : request.asked
  const record: IncreaseRecord = {
    id: requestId,
    scopeId,
    scopePath: scope.path,
    meter: limit.meter,
    per: limit.per,
    key,
    settled,
    limit: limit.max,
    asked,
    reason: storableText(reason),
    status: 'open',
    granted: null,
    by: null,
    openedAtMs: atMs,
    expiresAtMs,
    answeredAtMs: null,
  }
  keepRequest(ledger, scope, record, atMs)
  return { kind: 'asked', request: record }
}

/** Answers once. An approval raises the limit, at most to its ceilings and to what the scopes above can pay. */
export function answerRequest(ledger: Ledger, request: AnswerRequest): AnswerOutcome {
  const { requestId, verdict, amount, atMs } = request
  const by = storableTextOrNull(request.by)
  const open = ledger.requests.get(requestId)
  if (open === undefined) return { kind: 'unknown' }
  if (open.status !== 'open') return { kind: 'duplicate', request: open }
  const scope = scopeIn(ledger, open.scopeId)
  const raised = verdict === 'approved' ? raisedLimit(scope, open, amount ?? open.asked, atMs) : null
  const status = verdict === 'approved' && raised === null ? 'denied' : verdict
  const granted = raised?.granted ?? null
  const answered = { ...open, status, granted, by, answeredAtMs: atMs } as const
  keepRequest(ledger, scope, answered, atMs)
  if (raised !== null) {
    const limits = scope.limits.map(({ key, limit }) => (key === open.key ? raised.limit : limit))
    setLimits(ledger, scope, { limits, ceilings: scope.ceilings }, by, atMs)
  }
  return { kind: 'answered', request: answered }
}

/** Denies the open requests of a scope that has ended. */
export function denyOpenRequests(ledger: Ledger, scope: ScopeState, atMs: number): void {
  for (const open of ledger.requests.openOf(scope.id)) {
    keepRequest(ledger, scope, { ...open, status: 'denied', answeredAtMs: atMs }, atMs)
  }
}

/** The limit raised by as much as can be granted; `null` if that is nothing. */
function raisedLimit(
  scope: ScopeState,
  { key }: IncreaseRecord,
  amount: number,
  atMs: number,
): { readonly limit: Limit; readonly granted: number } | null {
  const limit = limitUnder(scope, key)?.limit
  if (limit === undefined || isEnded(scope.status)) return null
  const granted = Math.min(amount, mostToGive(scope, limit, atMs))
  if (granted <= 0) return null
  // The place where it was written is still the place to change it.
  const source = { ...limit.source, layer: 'grant' } as const
  return { limit: { ...limit, max: limit.max + granted, source }, granted }
}

/** How much more its ceilings and the scopes above allow; 0 or less for nothing. */
function mostToGive(scope: ScopeState, limit: Limit, atMs: number): number {
  turnPath(scope.rootToSelf, atMs)
  return Math.min(roomToRaise(scope.rootToSelf, limit), mostUnder(limit, scope.ceilings) - limit.max)
}

function limitUnder(scope: ScopeState, key: string): LimitState | undefined {
  return scope.limits.find((state) => state.key === key)
}
