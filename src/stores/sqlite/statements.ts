import type { Database, Statement } from './database/index.ts'
import { readRow } from './verify/unreadable-row-error.ts'

// Listed one by one: a changed column is noticed when the ledger is opened.
const SCOPE = `id, root, parent, name, kind, labels, opened_at, owner, is_orphaned, status, is_ended, closed_at, pause,
  occupies_place, revision, limits, ceilings, series, active_ms, open_children, change, steered, about, told`
const CALL = `calls.id AS id, scopes.id AS scope, holder, state, at_ms, sequence, coalesce(fixed, reserved) AS fixed,
  elastic, units, reserved, charged, crossings, calls.about AS about, ending, facts, ended_at, calls.told AS told,
  corrected, corrected_at, assumed`
const CALLS = `${CALL} FROM calls JOIN scopes ON scopes.ordinal = calls.scope`
// Reservations from before calls had a table of their own.
const OLD_CALL = `id, scope, holder, state, at_ms, sequence, fixed, elastic, units, reserved, charged, crossings,
  NULL AS about, NULL AS ending, NULL AS facts, NULL AS ended_at, NULL AS told, NULL AS corrected,
  NULL AS corrected_at, NULL AS assumed`
// The condition of the partial indexes, which are used only where it is repeated: few are unfinished.
const UNFINISHED = `state IN ('open', 'assumed')`
const OPEN = `${UNFINISHED} AND state = 'open'`

const ORDINAL = '(SELECT ordinal FROM scopes WHERE id = ?)'
// The ordinals of a scope and of all below it.
const BELOW = `(WITH RECURSIVE below (id, ordinal) AS (SELECT id, ordinal FROM scopes WHERE id = ?
    UNION ALL SELECT scopes.id, scopes.ordinal FROM below CROSS JOIN scopes ON scopes.parent = below.id)
  SELECT ordinal FROM below)`

type Part = (table: string) => string

// The whole tree of a root, or a scope and what is below it.
const OF_ROOT: Part = (table) => `${table}.root = ${ORDINAL}`
const OF_BRANCH: Part = (table) => `${table}.scope IN ${BELOW}`

function between(number: string): string {
  return `${number} > ? AND ${number} < ?`
}

/** Events in a range, from its start or its end. */
function eventsIn(part: Part, order: 'ASC' | 'DESC'): string {
  return `SELECT number, at_ms, body FROM events WHERE ${part('events')} AND ${between('number')}
    AND (? IS NULL OR event IN (SELECT value FROM json_each(?))) ORDER BY number ${order} LIMIT ?`
}

/** Calls that ended in a range. By the kind of event: 1 for an assumed charge, 0 for any other, 2 for both. */
function endsIn(part: Part, order: 'ASC' | 'DESC'): string {
  return `SELECT ${CALLS} WHERE ${part('calls')} AND ${between('calls.told')}
    AND (? = 2 OR (state = 'assumed' OR corrected IS NOT NULL) = ?) ORDER BY calls.told ${order} LIMIT ?`
}

/** Calls that were corrected in a range; the same kinds. */
function correctionsIn(part: Part, order: 'ASC' | 'DESC'): string {
  return `SELECT ${CALLS} WHERE ${part('calls')} AND ${between('corrected')}
    AND (? = 2 OR (state = 'assumed') = ?) ORDER BY corrected ${order} LIMIT ?`
}

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
  // Scopes that ended before their end was an event are few, and become fewer.
  scopesListedEnded: `SELECT id FROM (
      SELECT scopes.*, at_ms AS ended_at FROM events JOIN scopes ON scopes.ordinal = events.scope
        WHERE event = 'scope_closed' AND at_ms >= ?
      UNION ALL
      SELECT scopes.*, closed_at AS ended_at FROM scopes
        WHERE ordinal <= (SELECT scopes_before FROM ledger) AND is_ended = 1 AND closed_at >= ?
          AND NOT EXISTS (SELECT 1 FROM events WHERE events.scope = ordinal AND event = 'scope_closed'))
    WHERE ${IS_MEANT} ORDER BY ended_at DESC, ordinal DESC LIMIT ?`,
  // Without the hint it reads every scope in the order of the roots.
  rootsChanged: 'SELECT DISTINCT root FROM scopes INDEXED BY scopes_changed WHERE change > ? LIMIT ?',
  scopesOfRoot: 'SELECT id FROM scopes WHERE root = ? ORDER BY ordinal',
  openRoots: 'SELECT id FROM scopes WHERE parent IS NULL AND is_ended = 0 ORDER BY change DESC LIMIT ?',
  scopeRoots: 'SELECT DISTINCT root FROM scopes ORDER BY root',
  scopesEnding: 'SELECT id, parent, is_ended, closed_at FROM scopes WHERE root = ? ORDER BY ordinal DESC',
  pruneScope: 'DELETE FROM scopes WHERE id = ?',
  owners: 'SELECT DISTINCT owner FROM scopes WHERE is_ended = 0 AND owner IS NOT NULL',
  writeScope: `INSERT INTO scopes (id, root, parent, name, kind, labels, opened_at, owner, is_orphaned, status, is_ended,
      closed_at, pause, occupies_place, revision, limits, ceilings, series, active_ms, open_children, change, steered,
      about, told)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, is_orphaned = excluded.is_orphaned,
      status = excluded.status, is_ended = excluded.is_ended, closed_at = excluded.closed_at, pause = excluded.pause,
      occupies_place = excluded.occupies_place, revision = excluded.revision, limits = excluded.limits,
      ceilings = excluded.ceilings, series = excluded.series, active_ms = excluded.active_ms, open_children = excluded.open_children,
      change = excluded.change, steered = max(steered, excluded.steered), told = excluded.told`,
  touchScope: 'UPDATE scopes SET active_ms = ?, open_children = ?, change = ?, told = ? WHERE id = ?',
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

  call: `SELECT ${CALLS} WHERE calls.id = ?`,
  oldCall: `SELECT ${OLD_CALL} FROM reservations WHERE id = ?`,
  anyOldCall: 'SELECT 1 AS found FROM reservations LIMIT 1',
  callsOpen: `SELECT ${CALLS} WHERE ${OPEN} AND holder = ?
    UNION ALL SELECT ${OLD_CALL} FROM reservations WHERE ${OPEN} AND holder = ? ORDER BY sequence`,
  callsListed: `SELECT * FROM (SELECT ${CALLS} UNION ALL SELECT ${OLD_CALL} FROM reservations)
    WHERE state = ? AND (? IS NULL OR holder = ?) ORDER BY sequence LIMIT ?`,
  callsListedOf: `SELECT * FROM (SELECT ${CALLS} WHERE calls.scope = ${ORDINAL}
      UNION ALL SELECT ${OLD_CALL} FROM reservations WHERE scope = ?)
    WHERE state = ? AND (? IS NULL OR holder = ?) ORDER BY sequence LIMIT ?`,
  callsListedUnfinished: `SELECT * FROM (SELECT ${CALLS} WHERE ${UNFINISHED} AND state = ?
      UNION ALL SELECT ${OLD_CALL} FROM reservations WHERE ${UNFINISHED} AND state = ?)
    WHERE (? IS NULL OR scope = ?) AND (? IS NULL OR holder = ?) ORDER BY sequence LIMIT ?`,
  holders: `SELECT DISTINCT holder FROM calls WHERE ${OPEN}
    UNION SELECT DISTINCT holder FROM reservations WHERE ${OPEN}`,
  addCall: `INSERT INTO calls (sequence, id, root, scope, holder, state, at_ms, fixed, elastic, units, reserved, charged,
      crossings, about, ending, facts, ended_at, told, corrected, corrected_at, assumed)
    VALUES (?, ?, ${ORDINAL}, ${ORDINAL}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  chargeCall: `UPDATE calls SET state = ?, charged = ?, crossings = ?, ending = ?, facts = ?, ended_at = ?, told = ?,
    corrected = ?, corrected_at = ?, assumed = ? WHERE sequence = ?`,
  dropOldCall: 'DELETE FROM reservations WHERE id = ?',

  callsUnfinished: `SELECT * FROM (SELECT ${CALLS} WHERE ${UNFINISHED}
      UNION ALL SELECT ${OLD_CALL} FROM reservations WHERE ${UNFINISHED})
    WHERE scope IN (SELECT id FROM scopes WHERE root = ?) ORDER BY sequence`,
  callsFinished: `SELECT id, scope, holder, state, at_ms, sequence, reserved, charged, facts FROM (
      SELECT ${CALLS} WHERE calls.scope IN (SELECT ordinal FROM scopes WHERE root = ?)
      UNION ALL SELECT ${OLD_CALL} FROM reservations WHERE scope IN (SELECT id FROM scopes WHERE root = ?))
    WHERE NOT ${UNFINISHED} ORDER BY id`,
  callIds: `SELECT calls.id AS id, state, scopes.root AS root FROM calls LEFT JOIN scopes ON scopes.ordinal = calls.scope
    UNION ALL SELECT reservations.id, state, root FROM reservations LEFT JOIN scopes ON scopes.id = scope`,
  pruneCalls: `DELETE FROM calls WHERE NOT ${UNFINISHED}
    AND scope IN (SELECT ordinal FROM scopes WHERE root = ?) AND at_ms < ?`,
  pruneOldCalls: `DELETE FROM reservations WHERE NOT ${UNFINISHED}
    AND scope IN (SELECT id FROM scopes WHERE root = ?) AND at_ms < ?`,
  pruneCallsOf: `DELETE FROM calls WHERE scope = ${ORDINAL}`,
  pruneOldCallsOf: 'DELETE FROM reservations WHERE scope = ?',

  eventsOfRootFirst: eventsIn(OF_ROOT, 'ASC'),
  eventsOfRootLast: eventsIn(OF_ROOT, 'DESC'),
  eventsBelowFirst: eventsIn(OF_BRANCH, 'ASC'),
  eventsBelowLast: eventsIn(OF_BRANCH, 'DESC'),
  endsOfRootFirst: endsIn(OF_ROOT, 'ASC'),
  endsOfRootLast: endsIn(OF_ROOT, 'DESC'),
  endsBelowFirst: endsIn(OF_BRANCH, 'ASC'),
  endsBelowLast: endsIn(OF_BRANCH, 'DESC'),
  correctionsOfRootFirst: correctionsIn(OF_ROOT, 'ASC'),
  correctionsOfRootLast: correctionsIn(OF_ROOT, 'DESC'),
  correctionsBelowFirst: correctionsIn(OF_BRANCH, 'ASC'),
  correctionsBelowLast: correctionsIn(OF_BRANCH, 'DESC'),
  addEvent: `INSERT INTO events VALUES (${ORDINAL}, ?, ${ORDINAL}, ?, ?, ?)`,
  pruneEvents: `DELETE FROM events WHERE root = ${ORDINAL} AND at_ms < ?`,
  forgotten: 'SELECT forgotten FROM scopes WHERE id = ?',

  writeForgotten: 'UPDATE scopes SET forgotten = max(forgotten, ?) WHERE id = ?',
  // The last number that a pruning with these bounds forgets.
  lastForgotten: `SELECT max(
      coalesce((SELECT max(number) FROM events WHERE root = ${ORDINAL} AND at_ms < ?), 0),
      coalesce((SELECT max(max(coalesce(told, 0), coalesce(corrected, 0))) FROM calls WHERE NOT ${UNFINISHED}
        AND scope IN (SELECT ordinal FROM scopes WHERE root = ?) AND at_ms < ?), 0)) AS number`,
  lastToldOf: `SELECT max(max(coalesce(told, 0), coalesce(corrected, 0))) AS number FROM calls WHERE scope = ${ORDINAL}`,
  countTold: `SELECT
      (SELECT count(*) FROM events WHERE events.root = scopes.ordinal AND number > forgotten)
      + (SELECT count(*) FROM calls WHERE calls.root = scopes.ordinal AND calls.told > forgotten)
      + (SELECT count(*) FROM calls WHERE calls.root = scopes.ordinal AND corrected > forgotten) AS kept,
      told, forgotten FROM scopes WHERE id = ?`,

  denials: `SELECT meter, per, resets_at, count, last_at FROM denials WHERE scope = ${ORDINAL} ORDER BY resets_at, meter, per`,
  countDenials: `INSERT INTO denials VALUES (${ORDINAL}, ?, ?, ?, ?, ?)
    ON CONFLICT (scope, meter, per, resets_at) DO UPDATE SET count = count + excluded.count, last_at = excluded.last_at`,
  pruneDenials: 'DELETE FROM denials WHERE resets_at > 0 AND resets_at < ?',
  pruneDenialsOf: `DELETE FROM denials WHERE scope = ${ORDINAL}`,

  holder: 'SELECT holder, beats, beat_at, died_at FROM holders WHERE holder = ?',
  writeHolder: `INSERT INTO holders VALUES (?, ?, ?, ?) ON CONFLICT (holder) DO UPDATE SET beats = excluded.beats,
    beat_at = excluded.beat_at, died_at = excluded.died_at`,
  pruneHolders: `DELETE FROM holders WHERE max(coalesce(beat_at, 0), coalesce(died_at, 0)) < ?
    AND holder NOT IN (SELECT holder FROM reservations WHERE ${OPEN})
    AND holder NOT IN (SELECT holder FROM calls WHERE ${OPEN})
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

// What only looks back, prunes or verifies is prepared when it is first used: a ledger must open quickly.
const LATER =
  /^(events|ends|corrections)(OfRoot|Below)|^callsListed|^calls(Unfinished|Finished)|^callIds|^prune|^scopesListedEnded|^(lastForgotten|lastToldOf|countTold|writeForgotten|denials|keysOfNobody|scopesEnding|journalPlaces)$/

/** Every statement of the store, by its name. */
export type Statements = Readonly<Record<keyof typeof SQL, Statement>>

/** Prepares the statements once. */
export function prepareStatements(database: Database): Statements {
  const prepared = Object.entries(SQL).map(([name, sql]) => {
    const prepare = (): Statement => readRow('sqlite_schema', name, () => database.prepare(sql))
    return [name, LATER.test(name) ? preparedLater(prepare) : prepare()] as const
  })
  return Object.fromEntries(prepared) as Record<keyof typeof SQL, Statement>
}

function preparedLater(prepare: () => Statement): Statement {
  let prepared: Statement | null = null
  const statement = (): Statement => {
    prepared ??= prepare()
    return prepared
  }
  return {
    run: (...parameters) => statement().run(...parameters),
    get: (...parameters) => statement().get(...parameters),
    all: (...parameters) => statement().all(...parameters),
  }
}
