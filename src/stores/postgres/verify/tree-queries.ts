import type { Query } from '../database/query.ts'
import { arrayText } from '../rows/array-text.ts'
import { CALL, UNFINISHED } from '../rows/needs.ts'

const SCOPES_OF_ROOT = '(SELECT id FROM scopes WHERE root = $1)'
const ORDINALS_OF_ROOT = '(SELECT ordinal FROM scopes WHERE root = $1)'

export function journalOf(root: string): Query {
  const text = 'SELECT entry, place, body, totals, hash FROM journal WHERE root = $1 ORDER BY place'
  return { text, values: [root] }
}

export function scopeIdsOf(root: string): Query {
  return { text: 'SELECT id FROM scopes WHERE root = $1 ORDER BY ordinal', values: [root] }
}

export function callsEnded(sequences: readonly number[]): Query {
  const text = `SELECT calls.id AS id, scopes.id AS scope, holder, state, at_ms, sequence, reserved, charged, facts
    FROM calls JOIN scopes ON scopes.ordinal = calls.scope WHERE sequence = ANY ($1::bigint[])`
  return { text, values: [arrayText(sequences)] }
}

export function callsUnfinishedOf(root: string): Query {
  const text = `SELECT ${CALL} WHERE ${UNFINISHED} AND calls.scope IN ${ORDINALS_OF_ROOT} ORDER BY sequence`
  return { text, values: [root] }
}

/** In the order of their ids, with the columns of a summary in their order. */
export function callsFinishedOf(root: string): Query {
  const text = `SELECT calls.id AS id, scopes.id AS scope, holder, state, at_ms, sequence, reserved, charged, facts
    FROM calls JOIN scopes ON scopes.ordinal = calls.scope
    WHERE NOT ${UNFINISHED} AND calls.scope IN ${ORDINALS_OF_ROOT} ORDER BY calls.id`
  return { text, values: [root] }
}

export function countCallsOf(root: string): Query {
  return { text: `SELECT count(*) AS number FROM calls WHERE scope IN ${ORDINALS_OF_ROOT}`, values: [root] }
}

export function callIdsOf(root: string): Query {
  return { text: `SELECT id, state FROM calls WHERE scope IN ${ORDINALS_OF_ROOT}`, values: [root] }
}

export function requestsOf(root: string): Query {
  const text = `SELECT id, status, body FROM requests WHERE scope IN ${SCOPES_OF_ROOT} ORDER BY opened_at, id`
  return { text, values: [root] }
}

export function keysOf(root: string): Query {
  const text = `SELECT id, scope, hash, created_at, revoked_at, body FROM keys WHERE scope IN ${SCOPES_OF_ROOT}
    ORDER BY created_at, id`
  return { text, values: [root] }
}

export function countToldOf(root: string): Query {
  const text = `SELECT (SELECT count(*) FROM events WHERE events.root = scopes.ordinal AND number > forgotten)
      + (SELECT count(*) FROM calls WHERE calls.root = scopes.ordinal AND calls.told > forgotten)
      + (SELECT count(*) FROM calls WHERE calls.root = scopes.ordinal AND corrected > forgotten) AS kept,
      told, forgotten FROM scopes WHERE id = $1`
  return { text, values: [root] }
}
