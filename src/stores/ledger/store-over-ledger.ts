import { assertTime, type DenialCount, type LedgerStore, type ListFilter, type ScopeReading } from '../../core/index.ts'
import { answerRequest, askForMore } from './answer-request.ts'
import {
  assertAddKey,
  assertAnswer,
  assertAsk,
  assertAssume,
  assertBeat,
  assertClose,
  assertHoldRequest,
  assertNote,
  assertOpen,
  assertPause,
  assertRelease,
  assertReserve,
  assertResume,
  assertRevokeKey,
  assertSetLimits,
  assertSettle,
} from './assert-requests.ts'
import { closeScope } from './close-scope.ts'
import { assertHistory, readHistory } from './history/read-history.ts'
import { sizeHoldOnPath } from './hold-on-path.ts'
import { assumeHolder, beat, listHolders } from './holders.ts'
import { addKey, revokeKey } from './keys.ts'
import { listReservations } from './list-reservations.ts'
import { openScopes } from './open-scopes.ts'
import { noteScope, pauseScope, resumeScope } from './pause-scope.ts'
import { readReservation } from './read-reservation.ts'
import { readScope } from './read-scope.ts'
import { reserve } from './reserve.ts'
import { replaceLimits } from './set-limits.ts'
import { release, settle } from './settle.ts'
import { type Ledger, scopeIn } from './state/ledger.ts'

/**
 * Runs one operation on the ledger: atomic, and as durable as the store is when it resolves. An operation that only
 * `reads` changes nothing.
 */
export type RunOnLedger = <Request, Outcome>(
  operation: (ledger: Ledger, request: Request) => Outcome,
  request: Request,
  kind?: 'reads',
) => Promise<Outcome>

/** The port over a ledger. A store only adds how operations are run. */
export function storeOverLedger(
  run: RunOnLedger,
  rest: Pick<LedgerStore, 'isShared' | 'poll' | 'changed' | 'dispose'>,
): LedgerStore {
  /** Runs an operation only if its request is well formed. */
  const checked =
    <Request, Outcome>(
      assert: (request: Request) => void,
      operate: (ledger: Ledger, request: Request) => Outcome,
      kind?: 'reads',
    ) =>
    (request: Request): Promise<Outcome> => {
      try {
        assert(request)
      } catch (error) {
        return Promise.reject(error)
      }
      return run(operate, request, kind)
    }
  return {
    open: checked(assertOpen, openScopes),
    close: checked(assertClose, closeScope),
    reserve: checked(assertReserve, reserve),
    settle: checked(assertSettle, settle),
    release: checked(assertRelease, release),
    assume: checked(assertAssume, assumeHolder),
    hold: checked(assertHoldRequest, (ledger, { scopeId, ask, atMs }) => {
      return { held: sizeHoldOnPath(scopeIn(ledger, scopeId), ask, atMs) }
    }),
    setLimits: checked(assertSetLimits, replaceLimits),
    read: (request) => run(readPath, request, 'reads'),
    pause: checked(assertPause, pauseScope),
    resume: checked(assertResume, resumeScope),
    note: checked(assertNote, noteScope),
    document: (request) => run((ledger, { scopeId }) => ledger.document(scopeId), request, 'reads'),
    ask: checked(assertAsk, askForMore),
    answer: checked(assertAnswer, answerRequest),
    requests: (filter) => run((ledger) => [...ledger.requests.list(filter)], filter, 'reads'),
    list: (filter) => run(listScopes, filter, 'reads'),
    count: (filter) => run((ledger) => ledger.scopes.count(filter), filter, 'reads'),
    reservations: (filter) =>
      run((ledger) => Array.from(listReservations(ledger, filter), readReservation), filter, 'reads'),
    history: checked(assertHistory, readHistory, 'reads'),
    denials: (request) => run(listDenials, request, 'reads'),
    holders: () => run(listHolders, null, 'reads'),
    beat: checked(assertBeat, beat),
    addKey: checked(assertAddKey, addKey),
    revokeKey: checked(assertRevokeKey, revokeKey),
    keys: (filter) => run((ledger) => [...ledger.keys.list(filter)], filter, 'reads'),
    keyByHash: ({ hash }) => run((ledger) => ledger.keys.byHash(hash) ?? null, hash, 'reads'),
    ...rest,
  }
}

function readPath(
  ledger: Ledger,
  { scopeId, atMs }: Parameters<LedgerStore['read']>[0],
): readonly ScopeReading[] | null {
  assertTime(atMs, 'read')
  return ledger.scopes.get(scopeId)?.rootToSelf.map((scope) => readScope(scope, atMs)) ?? null
}

function listDenials(ledger: Ledger, { scopeId }: { readonly scopeId: string }): readonly DenialCount[] {
  const denials = [...(ledger.history?.denials(scopeIn(ledger, scopeId)) ?? [])]
  const keyOf = ({ resetsAt, meter, per }: DenialCount): string => `${meter} ${per} ${resetsAt}`
  return denials.sort(
    (left, right) => (left.resetsAt ?? 0) - (right.resetsAt ?? 0) || (keyOf(left) < keyOf(right) ? -1 : 1),
  )
}

function listScopes(ledger: Ledger, filter: ListFilter): readonly ScopeReading[] {
  assertTime(filter.atMs, 'list')
  return Array.from(ledger.scopes.list(filter), (scope) => readScope(scope, filter.atMs))
}
