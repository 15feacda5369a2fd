import { type CallResult, ceilingsAmong, isEnded } from '../../core/index.ts'
import { chargeOnPath } from './charge-on-path.ts'
import { freePlace } from './close-scope.ts'
import type { JournalFact } from './journal-fact.ts'
import { addOpened, takeOwner, takePlace } from './open-scopes.ts'
import { addReserved } from './reserve-on-path.ts'
import { type Ledger, scopeIn } from './state/ledger.ts'
import type { ReservationRecord } from './state/ledger-state.ts'
import { turnPath } from './state/scope-state.ts'
import { writeLimits } from './write-limits.ts'

type FactOf<Kind extends JournalFact['kind']> = Extract<JournalFact, { readonly kind: Kind }>
type Charge = Extract<JournalFact, { readonly charged: unknown }>

/** Replays a fact of the journal on a ledger that doesn't have it yet: nothing is decided, only added up. */
export function replayFact(ledger: Ledger, fact: JournalFact): void {
  if (fact.kind === 'opened') {
    const parent = fact.parent === null ? null : scopeIn(ledger, fact.parent)
    if (parent !== null) turnPath(parent.rootToSelf, fact.at)
    addOpened(ledger, parent, fact.scope, fact.at, { crossings: [], alerts: [] })
  } else if (fact.kind === 'limits') {
    const { limits, ceilings = ceilingsAmong(limits) } = fact
    writeLimits(ledger, scopeIn(ledger, fact.scope), { limits, ceilings }, fact.at, fact.sequence)
  } else if (fact.kind === 'reserved') applyReserved(ledger, fact)
  else if (isCharge(fact)) applyCharge(ledger, fact)
  else if ('request' in fact) ledger.requests.set(fact.request)
  else if ('key' in fact) ledger.keys.set(fact.key)
  else applyStanding(ledger, fact)
}

function isCharge(fact: JournalFact): fact is Charge {
  return 'charged' in fact
}

function applyStanding(ledger: Ledger, fact: FactOf<'adopted' | 'orphaned' | 'closed' | 'paused' | 'resumed'>): void {
  const scope = scopeIn(ledger, fact.scope)
  if (fact.kind === 'orphaned') {
    freePlace(scope)
    scope.isOrphaned = true
  } else if (fact.kind === 'adopted') {
    takeOwner(scope, fact)
  } else if (fact.kind === 'closed') {
    freePlace(scope)
    scope.status = fact.status
    scope.closedAtMs = fact.at
    scope.pause = null
  } else if (fact.kind === 'paused') {
    scope.status = 'paused'
    scope.pause = fact.pause
    if (fact.leavesPlace === true) freePlace(scope)
  } else if (!isEnded(scope.status)) {
    scope.status = 'running'
    scope.pause = null
    scope.owner = fact.owner
    takePlace(scope)
  }
}

function applyReserved(ledger: Ledger, fact: FactOf<'reserved'>): void {
  const scope = scopeIn(ledger, fact.scope)
  const { reservation: id, amounts, at: atMs, holder, sequence } = fact
  turnPath(scope.rootToSelf, atMs)
  addReserved(scope.rootToSelf, amounts)
  const ending = { charged: null, crossings: [], result: null, endedAtMs: null, told: null, correction: null }
  const rest = { fixed: amounts, elastic: null, units: 0, about: null, ...ending }
  const record: ReservationRecord = { id, scope, reserved: amounts, atMs, holder, sequence, state: 'open', ...rest }
  ledger.reservations.add(record)
}

function applyCharge(ledger: Ledger, { state, reservation, charged, usage, price }: Charge): void {
  const record = ledger.reservations.get(reservation)
  if (record === undefined) throw new Error(`the reservation ${JSON.stringify(reservation)} was never created`)
  chargeOnPath(record, record.charged, charged, null)
  record.charged = charged
  record.state = state
  record.result = resultWith(usage, price)
}

/** Only what it was charged for is in the journal, not how it ended. */
function resultWith(usage: Charge['usage'], price: Charge['price']): CallResult | null {
  if (usage === undefined && price === undefined) return null
  return { ending: 'answered', ...(usage === undefined ? {} : { usage }), ...(price === undefined ? {} : { price }) }
}
