import {
  type AlertDraft,
  assertTime,
  type DenialCount,
  type HolderReading,
  type LedgerStore,
  type ListFilter,
  type ScopeReading,
} from '../../core/index.ts'
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
import { assertLease, readLease, takeLease } from './lease.ts'
import { listReservations } from './list-reservations.ts'
import { NEEDS, type Needs } from './needs.ts'
import { openScopes } from './open-scopes.ts'
import { readReservation } from './read-reservation.ts'
import { readScope } from './read-scope.ts'
import { reserve } from './reserve.ts'
import { replaceLimits } from './set-limits.ts'
import { release, settle } from './settle.ts'
import { type Ledger, scopeIn } from './state/ledger.ts'
import { noteScope, writePause, writeResume } from './write-pause.ts'

/** An operation of the port. A store runs it as it is, atomically and durably. */
export interface Operation<Request, Outcome> {
  /** What it looks at. */
  readonly needs: (request: Request) => Needs
  readonly run: (ledger: Ledger, request: Request) => Outcome
  /** It changes nothing. */
  readonly reads: boolean
}

/** Runs one operation on the ledger: atomic, and as durable as the store is when it resolves. */
export type RunOnLedger = <Request, Outcome>(
  operation: Operation<Request, Outcome>,
  request: Request,
) => Promise<Outcome>

/** The port over a ledger. A store only adds how operations are run. */
export function storeOverLedger(
  runOnLedger: RunOnLedger,
  { sums, ...rest }: Pick<LedgerStore, 'isShared' | 'poll' | 'listen' | 'changed' | 'sums' | 'dispose'>,
): LedgerStore {
  const listeners = new Set<(alert: AlertDraft) => void>()

  function tell(alert: AlertDraft): void {
    for (const listener of listeners) {
      try {
        listener(alert)
      } catch {
        // What a listener does can't fail the operation, which has happened.
      }
    }
  }

  /** Runs an operation, and calls back with its alerts once it is durable. */
  async function runTelling<Request, Outcome>(
    { needs, run, reads }: Operation<Request, Outcome>,
    request: Request,
  ): Promise<Outcome> {
    let raised: readonly AlertDraft[] = NO_ALERTS
    const outcome = await runOnLedger<Request, Outcome>(
      {
        needs,
        reads,
        run(ledger, given) {
          // A batch may be run again: only the alerts of its last run count.
          ledger.raised.length = 0
          const result = run(ledger, given)
          raised = ledger.raised.length === 0 ? NO_ALERTS : ledger.raised.splice(0)
          return result
        },
      },
      request,
    )
    for (const alert of raised) tell(alert)
    return outcome
  }

  /** Runs an operation only if its request is well formed. */
  function checked<Request, Outcome>(
    needs: (request: Request) => Needs,
    assert: (request: Request) => void,
    run: (ledger: Ledger, request: Request) => Outcome,
    how: 'changes' | 'raises' | 'reads' = 'changes',
  ): (request: Request) => Promise<Outcome> {
    const operation = { needs, run, reads: how === 'reads' }
    return (request) => {
      try {
        assert(request)
      } catch (error) {
        return Promise.reject(error)
      }
      return how === 'raises' ? runTelling(operation, request) : runOnLedger(operation, request)
    }
  }
  function reading<Request, Outcome>(
    needs: (request: Request) => Needs,
    run: (ledger: Ledger, request: Request) => Outcome,
  ): (request: Request) => Promise<Outcome> {
    const operation = { needs, run, reads: true }
    return (request) => runOnLedger(operation, request)
  }
  const holders = reading<null, readonly HolderReading[]>(NEEDS.holders, listHolders)
  return {
    open: checked(NEEDS.open, assertOpen, openScopes, 'raises'),
    close: checked(NEEDS.close, assertClose, closeScope, 'raises'),
    reserve: checked(NEEDS.reserve, assertReserve, reserve, 'raises'),
    settle: checked(NEEDS.settle, assertSettle, settle, 'raises'),
    release: checked(NEEDS.release, assertRelease, release),
    assume: checked(NEEDS.assume, assertAssume, assumeHolder, 'raises'),
    hold: checked(NEEDS.hold, assertHoldRequest, (ledger, { scopeId, ask, atMs }) => {
      return { held: sizeHoldOnPath(scopeIn(ledger, scopeId), ask, atMs) }
    }),
    setLimits: checked(NEEDS.setLimits, assertSetLimits, replaceLimits),
    read: reading(NEEDS.read, readPath),
    pause: checked(NEEDS.pause, assertPause, writePause, 'raises'),
    resume: checked(NEEDS.resume, assertResume, writeResume),
    note: checked(NEEDS.note, assertNote, noteScope, 'raises'),
    document: reading(NEEDS.document, (ledger, { scopeId }) => ledger.document(scopeId)),
    ask: checked(NEEDS.ask, assertAsk, askForMore),
    answer: checked(NEEDS.answer, assertAnswer, answerRequest),
    requests: reading(NEEDS.requests, (ledger, filter) => [...ledger.requests.list(filter)]),
    list: reading(NEEDS.list, listScopes),
    count: reading(NEEDS.count, (ledger, filter) => ledger.scopes.count(filter)),
    reservations: reading(NEEDS.reservations, (ledger, filter) => {
      return Array.from(listReservations(ledger, filter), readReservation)
    }),
    history: checked(NEEDS.history, assertHistory, readHistory, 'reads'),
    denials: reading(NEEDS.denials, listDenials),
    async sums(request) {
      assertTime(request.sinceMs, 'sums')
      assertTime(request.untilMs, 'sums')
      return sums(request)
    },
    holders: () => holders(null),
    beat: checked(NEEDS.beat, assertBeat, beat),
    addKey: checked(NEEDS.addKey, assertAddKey, addKey),
    revokeKey: checked(NEEDS.revokeKey, assertRevokeKey, revokeKey),
    keys: reading(NEEDS.keys, (ledger, filter) => [...ledger.keys.list(filter)]),
    lease: checked(NEEDS.lease, assertLease, takeLease),
    leased: reading(NEEDS.lease, readLease),
    onAlert(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    keyByHash: reading(NEEDS.keyByHash, (ledger, { hash }) => ledger.keys.byHash(hash) ?? null),
    ...rest,
  }
}

const NO_ALERTS: readonly AlertDraft[] = []

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
