import { assertTime, type LedgerStore } from '../../core/index.ts'
import { answerRequest, askForMore } from './answer-request.ts'
import { closeScope } from './close-scope.ts'
import { sizeHoldOnPath } from './hold-on-path.ts'
import { addKey, revokeKey } from './keys.ts'
import { type Ledger, scopeIn } from './ledger.ts'
import { listReservations } from './list-reservations.ts'
import { openScopes } from './open-scopes.ts'
import { noteScope, pauseScope, resumeScope } from './pause-scope.ts'
import { readReservation } from './read-reservation.ts'
import { readScope } from './read-scope.ts'
import { reserve } from './reserve.ts'
import { replaceLimits } from './set-limits.ts'
import { assumeOpen, release, settle } from './settle.ts'

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
  return {
    open: (request) => run((ledger) => openScopes(ledger, request)),
    close: (request) => run((ledger) => closeScope(ledger, request)),
    reserve: (request) => run((ledger) => reserve(ledger, request)),
    settle: (request) => run((ledger) => settle(ledger, request)),
    release: (request) => run((ledger) => release(ledger, request)),
    assume: (request) => run((ledger) => assumeOpen(ledger, request)),
    hold: ({ scopeId, ask, atMs }) =>
      run((ledger) => {
        assertTime(atMs, 'hold')
        return { held: sizeHoldOnPath(scopeIn(ledger, scopeId), ask, atMs) }
      }),
    setLimits: (request) => run((ledger) => replaceLimits(ledger, request)),
    read: ({ scopeId, atMs }) =>
      run((ledger) => {
        assertTime(atMs, 'read')
        return ledger.scopes.get(scopeId)?.rootToSelf.map((scope) => readScope(scope, atMs)) ?? null
      }, 'reads'),
    pause: (request) => run((ledger) => pauseScope(ledger, request)),
    resume: (request) => run((ledger) => resumeScope(ledger, request)),
    note: (request) => run((ledger) => noteScope(ledger, request)),
    document: ({ scopeId }) => run((ledger) => ledger.document(scopeId), 'reads'),
    ask: (request) => run((ledger) => askForMore(ledger, request)),
    answer: (request) => run((ledger) => answerRequest(ledger, request)),
    requests: (filter) => run((ledger) => [...ledger.requests.list(filter)], 'reads'),
    list: (filter) =>
      run((ledger) => {
        assertTime(filter.atMs, 'list')
        return Array.from(ledger.scopes.list(filter), (scope) => readScope(scope, filter.atMs))
      }, 'reads'),
    reservations: (filter) => run((ledger) => Array.from(listReservations(ledger, filter), readReservation), 'reads'),
    holders: () =>
      run((ledger) => [...new Set([...ledger.reservations.holders(), ...ledger.scopes.owners()])].toSorted(), 'reads'),
    addKey: (request) => run((ledger) => addKey(ledger, request)),
    revokeKey: (request) => run((ledger) => revokeKey(ledger, request)),
    keys: (filter) => run((ledger) => [...ledger.keys.list(filter)], 'reads'),
    keyByHash: ({ hash }) => run((ledger) => ledger.keys.byHash(hash) ?? null, 'reads'),
    ...rest,
  }
}
