import type { Database, Statement } from './database/index.ts'
import { readRow } from './verify/unreadable-row-error.ts'

// Listed one by one: a changed column is noticed when the ledger is opened.
const SCOPE = `id, root, parent, name, kind, labels, opened_at, owner, is_orphaned, status, is_ended, closed_at, pause,
  occupies_place, revision, limits, ceilings, series, active_ms, open_children, change, steered`
const RESERVATION = `id, scope, holder, state, at_ms, sequence, fixed, elastic, units, reserved, charged, crossings`

// The filters of a scope list, in the order of `meantParameters`.
const IS_MEANT = `(? = 2 OR is_ended = ?) AND (? = 0 OR parent IS ?) AND (? IS NULL OR kind = ?)
  AND (? IS NULL OR substr(id, 1, length(?)) = ?)`

const SQL = {
  ledger: 'SELECT id, sequence, change, pruned FROM ledger',
  // Earlier versions leave out `stamp`: see the schema.
  writeLedger: 'UPDATE ledger SET sequence = ?, change = ?, stamp = ?',
  writePruned: 'UPDATE ledger SET change = change + 1, pruned = change + 1, stamp = change + 1',

  scope: `SELECT ${SCOPE} FROM scopes WHERE id = ?`,
  scopesChanged: `SELECT ${SCOPE} FROM scopes WHERE change > ?`,
  scopesSteered: 'SELECT id FROM scopes WHERE steered > ? LIMIT ?',
  scopesBelow: 'SELECT id FROM scopes WHERE parent = ? AND is_ended = 0 ORDER BY ordinal',
  scopesOwned: 'SELECT id FROM scopes WHERE owner = ? AND is_ended = 0 ORDER BY ordinal',
  scopesListed: `SELECT id FROM scopes WHERE ${IS_MEANT} ORDER BY ordinal LIMIT ?`,
  // The index has only open scopes: few compared to all.
  scopesListedOpen: `SELECT id FROM scopes INDEXED BY scopes_below WHERE is_ended = 0 AND ${IS_MEANT}
    ORDER BY ordinal LIMIT ?`,
  scopesListedBelow: `SELECT id FROM scopes WHERE parent IS ? AND ${IS_MEANT} ORDER BY ordinal LIMIT ?`,
  scopesListedFrom: `SELECT id FROM scopes WHERE id >= ? AND id < ? AND ${IS_MEANT} ORDER BY ordinal LIMIT ?`,
  // From the root down, by the names of the path. The order of the joins is the order in which the index is used.
  scopesListedAt: `WITH RECURSIVE steps (place, name) AS (SELECT key, value FROM json_each(?)),
    walk (scope, place) AS (
      SELECT id, 0 FROM scopes WHERE parent IS NULL AND name = (SELECT name FROM steps WHERE place = 0)
      UNION ALL
      SELECT scopes.id, steps.place FROM walk CROSS JOIN steps ON steps.place = walk.place + 1
        CROSS JOIN scopes ON scopes.parent = walk.scope AND scopes.name = steps.name)
    SELECT id FROM scopes WHERE id IN (SELECT scope FROM walk WHERE place = (SELECT max(place) FROM steps))
      AND ${IS_MEANT} ORDER BY ordinal LIMIT ?`,
  scopesOfRoot: 'SELECT id FROM scopes WHERE root = ? ORDER BY ordinal',
  openRoots: 'SELECT id FROM scopes WHERE parent IS NULL AND is_ended = 0 ORDER BY change DESC LIMIT ?',
  scopeRoots: 'SELECT DISTINCT root FROM scopes ORDER BY root',
  scopesEnding: 'SELECT id, parent, is_ended, closed_at FROM scopes WHERE root = ? ORDER BY ordinal DESC',
  pruneScope: 'DELETE FROM scopes WHERE id = ?',
  owners: 'SELECT DISTINCT owner FROM scopes WHERE is_ended = 0 AND owner IS NOT NULL',
  writeScope: `INSERT INTO scopes (id, root, parent, name, kind, labels, opened_at, owner, is_orphaned, status, is_ended,
      closed_at, pause, occupies_place, revision, limits, ceilings, series, active_ms, open_children, change, steered)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, is_orphaned = excluded.is_orphaned,
      status = excluded.status, is_ended = excluded.is_ended, closed_at = excluded.closed_at, pause = excluded.pause,
      occupies_place = excluded.occupies_place, revision = excluded.revision, limits = excluded.limits,
      ceilings = excluded.ceilings, series = excluded.series, active_ms = excluded.active_ms, open_children = excluded.open_children,
      change = excluded.change, steered = max(steered, excluded.steered)`,
  touchScope: 'UPDATE scopes SET active_ms = ?, open_children = ?, change = ? WHERE id = ?',
  steerScope: 'UPDATE scopes SET steered = ? WHERE id = ?',

  counters: 'SELECT series, start_ms, end_ms, settled, reserved, announced FROM counters WHERE scope = ?',
  writeCounter: `INSERT INTO counters VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (scope, series, start_ms) DO UPDATE SET settled = excluded.settled, reserved = excluded.reserved,
      announced = excluded.announced`,
  dropCounter: 'DELETE FROM counters WHERE scope = ? AND series = ? AND start_ms = ?',

  pruneCounters: 'DELETE FROM counters WHERE scope = ?',

  holdsOn: 'SELECT limit_key, holder, amount FROM holds WHERE scope = ? ORDER BY ordinal',
  holdsOf: 'SELECT scope, limit_key, amount FROM holds WHERE holder = ? ORDER BY ordinal',
  writeHold: `INSERT INTO holds (scope, limit_key, holder, amount) VALUES (?, ?, ?, ?)
    ON CONFLICT (scope, limit_key, holder) DO UPDATE SET amount = excluded.amount`,
  dropHold: 'DELETE FROM holds WHERE scope = ? AND limit_key = ? AND holder = ?',

  reservation: `SELECT ${RESERVATION} FROM reservations WHERE id = ?`,
  reservationsOpen: `SELECT ${RESERVATION} FROM reservations WHERE state = 'open' AND holder = ? ORDER BY sequence`,
  reservationsListed: `SELECT ${RESERVATION} FROM reservations
    WHERE state = ? AND (? IS NULL OR scope = ?) AND (? IS NULL OR holder = ?) ORDER BY sequence LIMIT ?`,
  // Repeats the condition of the partial index, so that it is used: few reservations are unfinished.
  reservationsListedUnfinished: `SELECT ${RESERVATION} FROM reservations WHERE state IN ('open', 'assumed')
    AND state = ? AND (? IS NULL OR scope = ?) AND (? IS NULL OR holder = ?) ORDER BY sequence LIMIT ?`,
  holders: `SELECT DISTINCT holder FROM reservations WHERE state = 'open'`,
  addReservation: 'INSERT INTO reservations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  chargeReservation: 'UPDATE reservations SET state = ?, charged = ?, crossings = ? WHERE id = ?',

  reservationsUnfinished: `SELECT ${RESERVATION} FROM reservations WHERE state IN ('open', 'assumed')
    AND scope IN (SELECT id FROM scopes WHERE root = ?) ORDER BY sequence`,
  reservationsFinished: `SELECT id, scope, holder, state, at_ms, sequence, reserved, charged FROM reservations
    WHERE state NOT IN ('open', 'assumed') AND scope IN (SELECT id FROM scopes WHERE root = ?) ORDER BY id`,
  reservationIds: 'SELECT reservations.id, state, root FROM reservations LEFT JOIN scopes ON scopes.id = scope',
  pruneReservations: `DELETE FROM reservations WHERE state NOT IN ('open', 'assumed')
    AND scope IN (SELECT id FROM scopes WHERE root = ?) AND at_ms < ?`,

  pruneReservationsOf: 'DELETE FROM reservations WHERE scope = ?',

  holder: 'SELECT holder, beats, beat_at, died_at FROM holders WHERE holder = ?',
  writeHolder: `INSERT INTO holders VALUES (?, ?, ?, ?) ON CONFLICT (holder) DO UPDATE SET beats = excluded.beats,
    beat_at = excluded.beat_at, died_at = excluded.died_at`,
  pruneHolders: `DELETE FROM holders WHERE max(coalesce(beat_at, 0), coalesce(died_at, 0)) < ?
    AND holder NOT IN (SELECT holder FROM reservations WHERE state = 'open')
    AND holder NOT IN (SELECT owner FROM scopes WHERE is_ended = 0 AND owner IS NOT NULL)`,

  request: 'SELECT id, body FROM requests WHERE id = ?',
  requestOpenFor: `SELECT id, body FROM requests WHERE limit_key = ? AND status = 'open'`,
  requestsOpenOf: `SELECT id, body FROM requests WHERE scope = ? AND status = 'open' ORDER BY opened_at, id`,
  requestsListed: `SELECT id, body FROM requests
    WHERE (? IS NULL OR status = ?) AND (? IS NULL OR id = ?) ORDER BY opened_at, id LIMIT ?`,
  requestsOfRoot: `SELECT id, status, body FROM requests WHERE scope IN (SELECT id FROM scopes WHERE root = ?)
    ORDER BY opened_at, id`,
  pruneRequests: 'DELETE FROM requests WHERE scope = ?',
  writeRequest: `INSERT INTO requests VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET status = excluded.status, body = excluded.body`,

  key: 'SELECT id, body FROM keys WHERE id = ?',
  keyByHash: 'SELECT id, body FROM keys WHERE hash = ?',
  keysListed: `SELECT id, body FROM keys WHERE (? IS NULL OR scope = ?) ORDER BY created_at, id LIMIT ?`,
  keysOfRoot: `SELECT id, scope, hash, created_at, revoked_at, body FROM keys
    WHERE scope IN (SELECT id FROM scopes WHERE root = ?) ORDER BY created_at, id`,
  keysOfNobody: 'SELECT id FROM keys WHERE scope NOT IN (SELECT id FROM scopes) ORDER BY id',
  writeKey: `INSERT INTO keys VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET revoked_at = excluded.revoked_at, body = excluded.body`,
  pruneKeysOf: 'DELETE FROM keys WHERE scope = ?',
  pruneKeysRevoked: `DELETE FROM keys WHERE scope IN (SELECT id FROM scopes WHERE root = ?) AND revoked_at < ?`,

  document: 'SELECT body FROM documents WHERE scope = ?',
  writeDocument: `INSERT INTO documents VALUES (?, ?) ON CONFLICT (scope) DO UPDATE SET body = excluded.body`,

  pruneDocument: 'DELETE FROM documents WHERE scope = ?',

  journalHead: 'SELECT entry, place, body, totals, hash FROM journal WHERE root = ? ORDER BY place DESC LIMIT 1',
  journalBefore: 'SELECT hash FROM journal WHERE root = ? AND place = ?',
  journalOf: 'SELECT entry, place, body, totals, hash FROM journal WHERE root = ? ORDER BY place',
  journalRoots: 'SELECT DISTINCT root FROM journal ORDER BY root',
  journalEnd: 'SELECT max(entry) AS entry FROM journal',
  journalAppended: `SELECT seq AS entry FROM sqlite_sequence WHERE name = 'journal'`,
  journalPlaces: 'SELECT sum(place) AS places FROM (SELECT max(place) AS place FROM journal GROUP BY root)',
  pruneJournal: 'DELETE FROM journal WHERE root = ? AND place < ?',
  append: 'INSERT INTO journal (root, place, body, totals, hash) VALUES (?, ?, ?, ?, ?)',
} as const

/** Every statement of the store, by its name. */
export type Statements = Readonly<Record<keyof typeof SQL, Statement>>

/** Prepares all statements once. */
export function prepareStatements(database: Database): Statements {
  const prepared = Object.entries(SQL).map(([name, sql]) => {
    return [name, readRow('sqlite_schema', name, () => database.prepare(sql))] as const
  })
  return Object.fromEntries(prepared) as Record<keyof typeof SQL, Statement>
}
