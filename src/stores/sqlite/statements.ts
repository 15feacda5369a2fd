import { CALL_COSTS, COUNTER_METERS } from '../../core/index.ts'
import { ROW_WRITES, type RowWriteName } from '../records/rows/row-change.ts'
import type { Database, Statement } from './database/index.ts'
import { readStored } from './read-stored.ts'
import { rowWriteSql } from './row-write-sql.ts'

// Listed one by one: a changed column is noticed when the ledger is opened.
const SCOPE = `id, root, parent, name, kind, labels, opened_at, owner, is_orphaned, status, is_ended, closed_at, pause,
  occupies_place, revision, limits, ceilings, series, active_ms, open_children, change, steered, about, told, watch`
const CALL = `calls.id AS id, scopes.id AS scope, holder, state, at_ms, sequence, coalesce(fixed, reserved) AS fixed,
  elastic, units, reserved, charged, crossings, calls.about AS about, ending, facts, costs, ended_at, calls.told AS told,
  corrected, corrected_at, assumed, 0 AS is_old`
const CALLS = `${CALL} FROM calls JOIN scopes ON scopes.ordinal = calls.scope`
// Reservations from before calls had their own table.
const OLD_CALL = `id, scope, holder, state, at_ms, sequence, fixed, elastic, units, reserved, charged, crossings,
  NULL AS about, NULL AS ending, NULL AS facts, NULL AS costs, NULL AS ended_at, NULL AS told, NULL AS corrected,
  NULL AS corrected_at, NULL AS assumed, 1 AS is_old`
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
// A branch by way of its whole tree: has the id of the scope as two parameters.
const AMONG = `calls.root = (SELECT ordinal FROM scopes WHERE id = (SELECT root FROM scopes WHERE id = ?))
  AND calls.scope IN ${BELOW}`

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

/** The same for a branch with many calls: the numbers of its whole tree are scanned until enough were found. */
function endsAmong(order: 'ASC' | 'DESC'): string {
  return `SELECT ${CALL} FROM calls INDEXED BY calls_told JOIN scopes ON scopes.ordinal = calls.scope
    WHERE ${AMONG} AND ${between('calls.told')}
    AND (? = 2 OR (state = 'assumed' OR corrected IS NOT NULL) = ?) ORDER BY calls.told ${order} LIMIT ?`
}

/** Calls that were corrected in a range; the same kinds. */
function correctionsIn(part: Part, order: 'ASC' | 'DESC'): string {
  return `SELECT ${CALL} FROM calls INDEXED BY calls_corrected JOIN scopes ON scopes.ordinal = calls.scope
    WHERE ${part('calls')} AND ${between('corrected')}
    AND (? = 2 OR (state = 'assumed') = ?) ORDER BY corrected ${order} LIMIT ?`
}

// Added up: exact, as long as a number is.
function summed(value: string): string {
  return `CAST(min(total(${value}), ${Number.MAX_SAFE_INTEGER}) AS INTEGER)`
}

const HOUR = 'at_ms - at_ms % 3600000 AS hour'
const AMOUNTS = `json_array(${COUNTER_METERS.map((_, place) => summed(`json_extract(charged, '$[${place}]')`)).join(', ')})`
const COST = `json_extract(charged, '$[${COUNTER_METERS.indexOf('cost')}]')`
const IS_CLOSING = `json_extract(about, '$[6]') IS NOT NULL`
// In the order of `COST_PARTS`, without the last.
const COSTS = `json_array(${[
  ...CALL_COSTS.map((_, place) => {
    return summed(`CASE WHEN state = 'settled' AND NOT ${IS_CLOSING} THEN json_extract(costs, '$[${place}]') END`)
  }),
  summed(`CASE WHEN state = 'settled' AND ${IS_CLOSING} THEN ${COST} END`),
  summed(`CASE WHEN state = 'assumed' THEN ${COST} END`),
].join(', ')})`

/** Sums of charged calls by hour, scope, and model or tool. */
function sumsOf(where: string): string {
  return `SELECT scope, ${HOUR}, coalesce(json_extract(about, '$[0]'), 'other') AS call,
      coalesce(json_extract(about, '$[1]'), '') AS name, count(*) AS calls, ${AMOUNTS} AS amounts, ${COSTS} AS costs
    FROM calls WHERE state IN ('settled', 'assumed') AND ${where} GROUP BY scope, hour, call, json_extract(about, '$[1]')`
}

/** The same for reservations from before calls had their own table. */
function oldSumsOf(where: string): string {
  return `SELECT ordinal AS scope, ${HOUR}, 'other' AS call, '' AS name, count(*) AS calls, ${AMOUNTS} AS amounts,
      json_array(0, 0, 0, 0, 0, 0, 0, ${summed(`CASE WHEN state = 'assumed' THEN ${COST} END`)}) AS costs
    FROM reservations JOIN scopes ON scopes.id = reservations.scope
    WHERE state IN ('settled', 'assumed') AND ${where} GROUP BY ordinal, hour`
}

// The filters of a scope list, in the order of `meantParameters`.
const IS_MEANT = `(? = 2 OR is_ended = ?) AND (? = 0 OR parent IS ?) AND (? IS NULL OR kind = ?)
  AND (? IS NULL OR substr(id, 1, length(?)) = ?)`

const SQL = {
  ledger: 'SELECT id, sequence, change, pruned FROM ledger',
  // Earlier versions leave out `stamp`: see the schema.
  writeLedger: 'UPDATE ledger SET sequence = ?, change = ?, stamp = ?',
  prunedAt: 'SELECT pruned_at FROM ledger',
  writePrunedAt: 'UPDATE ledger SET pruned_at = ?',
  writePruned: 'UPDATE ledger SET change = change + 1, pruned = change + 1, stamp = change + 1',

  scope: `SELECT ${SCOPE} FROM scopes WHERE id = ?`,
  scopesChanged: 'SELECT id FROM scopes WHERE change > ?',
  scopesSteered: 'SELECT id FROM scopes WHERE steered > ? LIMIT ?',
  scopesBelow: 'SELECT id FROM scopes WHERE parent = ? AND is_ended = 0 ORDER BY ordinal',
  scopesOwned: 'SELECT id FROM scopes WHERE owner = ? AND is_ended = 0 ORDER BY ordinal',
  scopesListed: `SELECT id FROM scopes WHERE ${IS_MEANT} ORDER BY ordinal LIMIT ?`,
  // The index has only open scopes: few compared to all.
  scopesListedOpen: `SELECT id FROM scopes INDEXED BY scopes_below WHERE is_ended = 0 AND ${IS_MEANT}
    ORDER BY ordinal LIMIT ?`,
  scopesListedBelow: `SELECT id FROM scopes WHERE parent IS ? AND ${IS_MEANT} ORDER BY ordinal LIMIT ?`,
  scopesListedOpenBelow: `SELECT id FROM scopes INDEXED BY scopes_below WHERE parent IS ? AND is_ended = 0 AND ${IS_MEANT}
    ORDER BY ordinal LIMIT ?`,
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
  // The order of the index, so that the last ones are found without reading the others.
  scopesListedEnded: `SELECT scopes.id AS id, at_ms AS ended_at, ordinal
    FROM events INDEXED BY events_of_ends CROSS JOIN scopes ON scopes.ordinal = events.scope
    WHERE event = 'scope_closed' AND at_ms >= ? AND ${IS_MEANT} ORDER BY at_ms DESC, events.scope DESC LIMIT ?`,
  // Scopes that ended before their end was an event: few, and ever fewer.
  scopesListedEndedBefore: `SELECT id, closed_at AS ended_at, ordinal FROM scopes
    WHERE ordinal <= (SELECT scopes_before FROM ledger) AND is_ended = 1 AND closed_at >= ? AND ${IS_MEANT}
      AND NOT EXISTS (SELECT 1 FROM events WHERE events.scope = ordinal AND event = 'scope_closed')
    ORDER BY closed_at DESC, ordinal DESC LIMIT ?`,
  // Without the hint it reads every scope in the order of the roots.
  rootsChanged: 'SELECT DISTINCT root FROM scopes INDEXED BY scopes_changed WHERE change > ? LIMIT ?',
  scopesOfRoot: 'SELECT id FROM scopes WHERE root = ? ORDER BY ordinal',
  // Without the hint it reads every root, ended ones too, and each run without a budget is one.
  openRoots: `SELECT id FROM scopes INDEXED BY scopes_below WHERE parent IS NULL AND is_ended = 0
    ORDER BY change DESC LIMIT ?`,
  scopeRoots: 'SELECT DISTINCT root FROM scopes ORDER BY root',
  scopesEnding: 'SELECT id, parent, kind, is_ended, closed_at FROM scopes WHERE root = ? ORDER BY ordinal DESC',
  pruneScope: 'DELETE FROM scopes WHERE id = ?',
  pruneAbout: `UPDATE scopes SET about = NULL
    WHERE root = ? AND is_ended = 1 AND closed_at < ? AND about IS NOT NULL`,
  owners: 'SELECT DISTINCT owner FROM scopes WHERE is_ended = 0 AND owner IS NOT NULL',
  counters: 'SELECT series, start_ms, end_ms, settled, reserved, announced FROM counters WHERE scope = ?',
  pruneCounters: 'DELETE FROM counters WHERE scope = ?',

  holdsOn: 'SELECT limit_key, holder, amount FROM holds WHERE scope = ? ORDER BY ordinal',
  holdsOf: 'SELECT scope, limit_key, amount FROM holds WHERE holder = ? ORDER BY ordinal',
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
  dropOldCall: 'DELETE FROM reservations WHERE id = ?',

  callsUnfinished: `SELECT * FROM (SELECT ${CALLS} WHERE ${UNFINISHED}
      UNION ALL SELECT ${OLD_CALL} FROM reservations WHERE ${UNFINISHED})
    WHERE scope IN (SELECT id FROM scopes WHERE root = ?) ORDER BY sequence`,
  callsFinished: `SELECT id, scope, holder, state, at_ms, sequence, reserved, charged, facts FROM (
      SELECT ${CALLS} WHERE calls.scope IN (SELECT ordinal FROM scopes WHERE root = ?)
      UNION ALL SELECT ${OLD_CALL} FROM reservations WHERE scope IN (SELECT id FROM scopes WHERE root = ?))
    WHERE NOT ${UNFINISHED} ORDER BY id`,
  callFinished: `SELECT calls.id AS id, scopes.id AS scope, holder, state, at_ms, reserved, charged, facts
    FROM calls JOIN scopes ON scopes.ordinal = calls.scope WHERE sequence = ?`,
  countCalls: 'SELECT (SELECT count(*) FROM calls) + (SELECT count(*) FROM reservations) AS number',
  callIds: `SELECT calls.id AS id, state, scopes.root AS root FROM calls LEFT JOIN scopes ON scopes.ordinal = calls.scope
    UNION ALL SELECT reservations.id, state, root FROM reservations LEFT JOIN scopes ON scopes.id = scope`,
  sumsToPrune: sumsOf(`scope IN (SELECT ordinal FROM scopes WHERE root = ?) AND at_ms < ? AND state = 'settled'`),
  sumsToPruneOf: sumsOf(`scope = ${ORDINAL}`),
  oldSumsToPrune: oldSumsOf(`scopes.root = ? AND at_ms < ? AND state = 'settled'`),
  oldSumsToPruneOf: oldSumsOf('reservations.scope = ?'),
  sum: 'SELECT calls, amounts, costs FROM sums WHERE hour = ? AND root = ? AND agent_type = ? AND call = ? AND name = ?',
  writeSum: 'INSERT OR REPLACE INTO sums VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  // The `root` of earlier versions is the scope that pays.
  sumsKept: `SELECT root AS scope, hour, agent_type, call, name, calls, amounts, costs FROM sums
    WHERE hour >= ? AND hour < ?`,
  sumsOfCalls: `SELECT scope, at_ms, state, about, charged, costs FROM calls
    WHERE sequence >= ? AND sequence < ? AND at_ms >= ? AND at_ms < ? AND state IN ('settled', 'assumed')`,
  sumsOfOldCalls: oldSumsOf('at_ms >= ? AND at_ms < ?'),
  sumOwner: 'SELECT ordinal, id, root, parent, kind, labels FROM scopes WHERE ordinal = ?',
  sumOwnerOf: 'SELECT ordinal, id, root, parent, kind, labels FROM scopes WHERE id = ?',
  callFrom: 'SELECT sequence, at_ms FROM calls WHERE sequence >= ? ORDER BY sequence LIMIT 1',
  lastCall: 'SELECT max(sequence) AS sequence FROM calls',

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
  endsAmongFirst: endsAmong('ASC'),
  endsAmongLast: endsAmong('DESC'),
  callsBelow: `SELECT count(*) AS number FROM (SELECT 1 FROM calls WHERE scope IN ${BELOW} LIMIT ?)`,
  correctionsOfRootFirst: correctionsIn(OF_ROOT, 'ASC'),
  correctionsOfRootLast: correctionsIn(OF_ROOT, 'DESC'),
  correctionsAmongFirst: correctionsIn(() => AMONG, 'ASC'),
  correctionsAmongLast: correctionsIn(() => AMONG, 'DESC'),
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
  pruneDenials: 'DELETE FROM denials WHERE resets_at > 0 AND resets_at < ?',
  pruneDenialsOf: `DELETE FROM denials WHERE scope = ${ORDINAL}`,

  holder: 'SELECT holder, beats, beat_at, died_at FROM holders WHERE holder = ?',
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

  key: 'SELECT id, body FROM keys WHERE id = ?',
  keyByHash: 'SELECT id, body FROM keys WHERE hash = ?',
  keysListed: `SELECT id, body FROM keys WHERE (? IS NULL OR scope = ?) ORDER BY created_at, id LIMIT ?`,
  keysOfRoot: `SELECT id, scope, hash, created_at, revoked_at, body FROM keys
    WHERE scope IN (SELECT id FROM scopes WHERE root = ?) ORDER BY created_at, id`,
  keysOfNobody: 'SELECT id FROM keys WHERE scope NOT IN (SELECT id FROM scopes) ORDER BY id',
  pruneKeysOf: 'DELETE FROM keys WHERE scope = ?',
  pruneKeysRevoked: `DELETE FROM keys WHERE scope IN (SELECT id FROM scopes WHERE root = ?) AND revoked_at < ?`,

  document: 'SELECT body FROM documents WHERE scope = ?',
  kept: 'SELECT body FROM kept WHERE name = ?',

  pruneDocument: 'DELETE FROM documents WHERE scope = ?',
  // Earlier versions kept what a scope needed to continue after its end, too.
  pruneDocuments: `DELETE FROM documents
    WHERE scope IN (SELECT id FROM scopes WHERE root = ? AND is_ended = 1 AND closed_at < ?)`,

  journalHead: 'SELECT entry, place, body, totals, hash FROM journal WHERE root = ? ORDER BY place DESC LIMIT 1',
  journalBefore: 'SELECT hash FROM journal WHERE root = ? AND place = ?',
  journalOf: 'SELECT entry, place, body, totals, hash FROM journal WHERE root = ? ORDER BY place',
  journalRoots: 'SELECT DISTINCT root FROM journal ORDER BY root',
  journalEnd: 'SELECT max(entry) AS entry FROM journal',
  journalAppended: `SELECT seq AS entry FROM sqlite_sequence WHERE name = 'journal'`,
  journalPlaces: 'SELECT sum(place) AS places FROM (SELECT max(place) AS place FROM journal GROUP BY root)',
  pruneJournal: 'DELETE FROM journal WHERE root = ? AND place < ?',
} as const

// Statements for history, pruning and verification are prepared when first used: a ledger must open quickly.
const LATER =
  /^(events|ends|corrections)(OfRoot|Below|Among)|^callsBelow$|^callsListed|^calls(Unfinished|Finished)|^(callIds|callFinished|countCalls)$|^prune|^(old)?[sS]um|^writeSum$|^(prunedAt|writePrunedAt)$|^(callFrom|lastCall)$|^scopesListedEnded|^(lastForgotten|lastToldOf|countTold|writeForgotten|denials|keysOfNobody|scopesEnding|journalPlaces)$/

type StatementName = keyof typeof SQL | RowWriteName

/** Every statement of the store, by its name. */
export type Statements = Readonly<Record<StatementName, Statement>>

/** Prepares the statements once. */
export function prepareStatements(database: Database): Statements {
  const writes = Object.entries(ROW_WRITES).map(([name, write]) => [name, rowWriteSql(write)] as const)
  const prepared = [...Object.entries(SQL), ...writes].map(([name, sql]) => {
    const prepare = (): Statement => readStored('sqlite_schema', name, () => database.prepare(sql))
    return [name, LATER.test(name) ? preparedLater(prepare) : prepare()] as const
  })
  return Object.fromEntries(prepared) as Record<StatementName, Statement>
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
    iterate: (...parameters) => statement().iterate(...parameters),
  }
}
