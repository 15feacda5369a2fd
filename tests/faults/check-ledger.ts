import type { Book } from './book.ts'
import type { LedgerRows, ReservationRow } from './ledger-rows.ts'

/** The known state of every reservation, including those that were pruned since. */
export type KnownReservations = Map<string, ReservationRow>

/**
 * Holds a ledger that nobody writes, and whose dead are all assumed, against what the workers were told. Adds up every
 * scope from the reservations alone. Returns what is wrong, in words.
 */
export function checkLedger(rows: LedgerRows, book: Book, known: KnownReservations): readonly string[] {
  for (const [id, row] of rows.reservations) known.set(id, row)
  return [...checkCalls(book, known), ...checkSums(rows, known), ...checkPlaces(rows), ...checkDocuments(rows, book)]
}

function checkCalls(book: Book, known: KnownReservations): readonly string[] {
  const problems: string[] = []
  for (const [id, { scope, tokens }] of book.granted) {
    const row = known.get(id)
    if (row === undefined) problems.push(`${id}: was granted, and is lost`)
    else if (row.scope !== scope || row.reserved !== tokens) problems.push(`${id}: is not what was granted`)
  }
  for (const [id, tokens] of book.settled) {
    const row = known.get(id)
    if (row?.state !== 'settled' || row.charged !== tokens) {
      problems.push(`${id}: was settled at ${tokens}, and is ${row?.state} at ${row?.charged}`)
    }
  }
  for (const id of book.released) {
    const row = known.get(id)
    if (row?.state !== 'released' || row.charged !== 0) problems.push(`${id}: was released, and is ${row?.state}`)
  }
  for (const row of known.values()) problems.push(...checkCall(row, book))
  return problems
}

/** Nobody is left in flight, and whatever nobody was told the end of is charged in full or as it was to be settled. */
function checkCall({ id, state, reserved, charged }: ReservationRow, book: Book): readonly string[] {
  if (state === 'open') return [`${id}: is still open, and its holder is dead`]
  if (state === 'assumed') {
    if (book.settled.has(id) || book.released.has(id)) return [`${id}: was finished, and is assumed`]
    return charged === reserved ? [] : [`${id}: is assumed at ${charged} of ${reserved}`]
  }
  const isAsMeant = state === 'released' ? charged === 0 : charged === book.settling.get(id)
  return isAsMeant ? [] : [`${id}: is ${state} at ${charged}, which nobody wanted`]
}

function checkSums(rows: LedgerRows, known: KnownReservations): readonly string[] {
  const sums = new Map<string, number>()
  for (const { scope, charged } of known.values()) {
    for (const id of pathOf(scope)) sums.set(id, (sums.get(id) ?? 0) + charged)
  }
  return [...rows.scopes.values()].flatMap(({ id, settled, reserved, held }) => {
    const wanted = sums.get(id) ?? 0
    const sum = settled === wanted ? [] : [`${id}: has settled ${settled}, its reservations add up to ${wanted}`]
    const rest = reserved === 0 && held === 0 ? [] : [`${id}: ${reserved} reserved and ${held} held by the dead`]
    return [...sum, ...rest]
  })
}

/** The scope and those above it: their ids are paths. */
function pathOf(scope: string): readonly string[] {
  const parts = scope.split('/')
  return parts.map((_, length) => parts.slice(0, length + 1).join('/'))
}

function checkPlaces(rows: LedgerRows): readonly string[] {
  const children = new Map<string, number>()
  for (const { parent, isOpen, isOrphaned } of rows.scopes.values()) {
    if (parent !== null && isOpen && !isOrphaned) children.set(parent, (children.get(parent) ?? 0) + 1)
  }
  return [...rows.scopes.values()].flatMap(({ id, openChildren, isOpen, isOrphaned, parent }) => {
    const wanted = children.get(id) ?? 0
    const places = openChildren === wanted ? [] : [`${id}: has ${openChildren} children, and ${wanted} are there`]
    const orphan = parent === null || !isOpen || isOrphaned ? [] : [`${id}: is open, and its owner is dead`]
    return [...places, ...orphan]
  })
}

function checkDocuments(rows: LedgerRows, book: Book): readonly string[] {
  return [...book.kept].flatMap(([scope, version]) => {
    const row = rows.scopes.get(scope)
    if (row === undefined) return []
    if (!row.isOpen) return rows.documents.has(scope) ? [`${scope}: has ended, and its document is there`] : []
    const found = Number(rows.documents.get(scope) ?? 0)
    const isThere = found >= version && found <= (book.keeping.get(scope) ?? version)
    return isThere ? [] : [`${scope}: document ${version} was kept, and ${found} is there`]
  })
}

/** Limits hold at every moment, also while others write. */
export function checkLimits(rows: LedgerRows): readonly string[] {
  return [...rows.scopes.values()].flatMap(({ id, settled, reserved, held, limit }) => {
    const used = settled + reserved + held
    return limit === null || used <= limit ? [] : [`${id}: ${used} used of ${limit}`]
  })
}
