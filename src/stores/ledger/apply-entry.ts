import { isEnded } from '../../core/index.ts'
import { chargeOnPath } from './charge-on-path.ts'
import { freePlace } from './close-scope.ts'
import type { JournalEntry } from './journal-entry.ts'
import { type Ledger, scopeIn } from './ledger.ts'
import type { ReservationRecord } from './ledger-state.ts'
import { addOpened, takePlace } from './open-scopes.ts'
import { addReserved } from './reserve-on-path.ts'
import { turnPath } from './scope-state.ts'
import { writeLimits } from './write-limits.ts'

type EntryOf<Kind extends JournalEntry['kind']> = Extract<JournalEntry, { readonly kind: Kind }>
type Charge = Extract<JournalEntry, { readonly charged: unknown }>

/** Lets a fact of the journal happen again on a ledger that has none of it: nothing is decided, only added up. */
export function applyEntry(ledger: Ledger, entry: JournalEntry): void {
  if (entry.kind === 'opened') {
    const parent = entry.parent === null ? null : scopeIn(ledger, entry.parent)
    if (parent !== null) turnPath(parent.rootToSelf, entry.at)
    addOpened(ledger, parent, entry.scope, entry.at, [])
  } else if (entry.kind === 'limits') {
    writeLimits(ledger, scopeIn(ledger, entry.scope), entry.limits, entry.at, entry.sequence)
  } else if (entry.kind === 'reserved') applyReserved(ledger, entry)
  else if (isCharge(entry)) applyCharge(ledger, entry)
  else if ('request' in entry) ledger.requests.set(entry.request)
  else if ('key' in entry) ledger.keys.set(entry.key)
  else applyStanding(ledger, entry)
}

function isCharge(entry: JournalEntry): entry is Charge {
  return 'charged' in entry
}

function applyStanding(ledger: Ledger, entry: EntryOf<'adopted' | 'orphaned' | 'closed' | 'paused' | 'resumed'>): void {
  const scope = scopeIn(ledger, entry.scope)
  if (entry.kind === 'orphaned') {
    freePlace(scope)
    scope.isOrphaned = true
  } else if (entry.kind === 'adopted') {
    scope.owner = entry.owner
    scope.isOrphaned = false
    takePlace(scope)
  } else if (entry.kind === 'closed') {
    freePlace(scope)
    scope.status = entry.status
    scope.closedAtMs = entry.at
    scope.pause = null
  } else if (entry.kind === 'paused') {
    scope.status = 'paused'
    scope.pause = entry.pause
  } else if (!isEnded(scope.status)) {
    scope.status = 'running'
    scope.pause = null
    scope.owner = entry.owner
  }
}

function applyReserved(ledger: Ledger, entry: EntryOf<'reserved'>): void {
  const scope = scopeIn(ledger, entry.scope)
  const { reservation: id, amounts, at: atMs, holder, sequence } = entry
  turnPath(scope.rootToSelf, atMs)
  addReserved(scope.rootToSelf, amounts)
  const rest = { fixed: amounts, elastic: null, units: 0, charged: null, crossings: [] }
  const record: ReservationRecord = { id, scope, reserved: amounts, atMs, holder, sequence, state: 'open', ...rest }
  ledger.reservations.add(record)
}

function applyCharge(ledger: Ledger, { state, reservation, charged }: Charge): void {
  const record = ledger.reservations.get(reservation)
  if (record === undefined) throw new Error(`the reservation ${JSON.stringify(reservation)} was never made`)
  chargeOnPath(record, record.charged, charged)
  record.charged = charged
  record.state = state
}
