import { assertTime, type LedgerStore } from '../../core/index.ts'
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
import { sizeHoldOnPath } from './hold-on-path.ts'
import { assumeHolder, beat, listHolders } from './holders.ts'
import { addKey, revokeKey } from './keys.ts'
import { type Ledger, scopeIn } from './ledger.ts'
import { listReservations } from './list-reservations.ts'
import { openScopes } from './open-scopes.ts'
import { noteScope, pauseScope, resumeScope } from './pause-scope.ts'
import { readReservation } from './read-reservation.ts'
import { readScope } from './read-scope.ts'
import { reserve } from './reserve.ts'
import { replaceLimits } from './set-limits.ts'
import { release, settle } from './settle.ts'

/**
 * Runs one operation on the ledger: whole or not at all, and durable, as far as the store is, when it resolves. One
 * that only `reads` changes nothing.
 */
export type RunOnLedger = <Outcome>(operation: (ledger: Ledger) => Outcome, kind?: 'reads') => Promise<Outcome>

/** The port over a ledger. All that a store adds is how an operation is run. */
export function storeOverLedger(
  run: RunOnLedger,
  rest: Pick<LedgerStore, 'isShared' | 'poll' | 'dispose'>,
): LedgerStore {
  /** Runs an operation of a request that is well formed, and none of another. */
  const checked =
    <Request, Outcome>(assert: (request: Request) => void, operate: (ledger: Ledger, request: Request) => Outcome) =>
    (request: Request): Promise<Outcome> => {
      try {
        assert(request)
      } catch (error) {
        return Promise.reject(error)
      }
      return run((ledger) => operate(ledger, request))
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
    read: ({ scopeId, atMs }) =>
      run((ledger) => {
        assertTime(atMs, 'read')
        return ledger.scopes.get(scopeId)?.rootToSelf.map((scope) => readScope(scope, atMs)) ?? null
      }, 'reads'),
    pause: checked(assertPause, pauseScope),
    resume: checked(assertResume, resumeScope),
    note: checked(assertNote, noteScope),
    document: ({ scopeId }) => run((ledger) => ledger.document(scopeId), 'reads'),
    ask: checked(assertAsk, askForMore),
    answer: checked(assertAnswer, answerRequest),
    requests: (filter) => run((ledger) => [...ledger.requests.list(filter)], 'reads'),
    list: (filter) =>
      run((ledger) => {
        assertTime(filter.atMs, 'list')
        return Array.from(ledger.scopes.list(filter), (scope) => readScope(scope, filter.atMs))
      }, 'reads'),
    reservations: (filter) => run((ledger) => Array.from(listReservations(ledger, filter), readReservation), 'reads'),
    holders: () => run(listHolders, 'reads'),
    beat: checked(assertBeat, beat),
    addKey: checked(assertAddKey, addKey),
    revokeKey: checked(assertRevokeKey, revokeKey),
    keys: (filter) => run((ledger) => [...ledger.keys.list(filter)], 'reads'),
    keyByHash: ({ hash }) => run((ledger) => ledger.keys.byHash(hash) ?? null, 'reads'),
    ...rest,
  }
}
