import { CALL_COSTS, COUNTER_METERS, type HourSum, mergedSums, type SumsRequest } from '../../core/index.ts'
import { columnsOf } from '../records/rows/columns-of.ts'
import type { SqlRow, SqlValue } from '../records/rows/sql-row.ts'
import { sumFromRow } from '../records/rows/sum-row.ts'
import { createSumOwners, type OwnerOfSum } from '../records/sums/sum-owners.ts'
import type { Connections, Session } from './database/connections.ts'
import { arrayText } from './rows/array-text.ts'

const SCOPES = columnsOf('scopes')
const SUMS = columnsOf('sums')
const HOUR_MS = 3_600_000

function summed(value: string): string {
  return `least(coalesce(sum(${value}), 0), ${Number.MAX_SAFE_INTEGER})::bigint`
}

function listOf(values: readonly string[]): string {
  return `json_build_array(${values.join(', ')})::text`
}

const AMOUNTS = listOf(COUNTER_METERS.map((_, place) => summed(`(charged::json->>${place})::bigint`)))
const COST = `(charged::json->>${COUNTER_METERS.indexOf('cost')})::bigint`
// In the order of `COST_PARTS`, without the last.
const COSTS = listOf([
  ...CALL_COSTS.map((_, place) => {
    return summed(`CASE WHEN state = 'settled' AND about::json->>6 IS NULL THEN (costs::json->>${place})::bigint END`)
  }),
  summed(`CASE WHEN state = 'settled' AND about::json->>6 IS NOT NULL THEN ${COST} END`),
  summed(`CASE WHEN state = 'assumed' THEN ${COST} END`),
])

/** Sums of charged calls by scope, hour, and model or tool. */
export function sumsOfCalls(where: string): string {
  return `SELECT scope, at_ms - at_ms % ${HOUR_MS} AS hour,
    coalesce(about::json->>0, 'other') AS call, coalesce(about::json->>1, '') AS name, count(*) AS calls,
    ${AMOUNTS} AS amounts, ${COSTS} AS costs
  FROM calls WHERE state IN ('settled', 'assumed') AND ${where} GROUP BY 1, 2, 3, 4`
}

const SUMS_OF_CALLS = sumsOfCalls('at_ms >= $1 AND at_ms < $2')
// Sums of pruned calls, by the scope that paid.
const SUMS_KEPT = `SELECT root AS scope, hour, agent_type, call, name, calls, amounts, costs FROM sums
  WHERE hour >= $1 AND hour < $2`
// These scopes and their ancestors.
const OWNERS = `WITH RECURSIVE path (id, parent) AS (SELECT id, parent FROM scopes WHERE ordinal = ANY ($1::bigint[])
    UNION SELECT scopes.id, scopes.parent FROM scopes JOIN path ON scopes.id = path.parent)
  SELECT ordinal, id, root, parent, kind, labels FROM scopes WHERE id IN (SELECT id FROM path)`

/** Hourly sums of calls from one consistent state, including pruned ones. */
export function readSums(connections: Connections, { sinceMs, untilMs }: SumsRequest): Promise<readonly HourSum[]> {
  return connections.use(async (session) => {
    await session.begin(true)
    try {
      const values = [sinceMs - (sinceMs % HOUR_MS), untilMs]
      const [kept, made] = await Promise.all([
        session.query({ text: SUMS_KEPT, values }),
        session.query({ text: SUMS_OF_CALLS, values }),
      ])
      return await sumsFrom(session, [...kept, ...made])
    } finally {
      await session.rollback().catch(() => {})
    }
  })
}

async function sumsFrom(session: Session, rows: readonly SqlRow[]): Promise<readonly HourSum[]> {
  const ownerOf = await sumOwnersOf(session, rows)
  return mergedSums(
    rows.map((row) => {
      const owner = ownerOf(SUMS.integer(row, 'scope'))!
      // For calls that are still stored, it is that of their scope.
      const agentType = row.agent_type === undefined ? owner.agentType : SUMS.text(row, 'agent_type') || null
      return sumFromRow(row, { ...owner, agentType })
    }),
  )
}

/** The payer, agent type and root of the scopes in these rows. */
export async function sumOwnersOf(
  session: Session,
  rows: readonly SqlRow[],
): Promise<(ordinal: number) => OwnerOfSum | null> {
  const ordinals = new Set(rows.map((row) => SUMS.integer(row, 'scope')))
  const scopes = await session.query({ text: OWNERS, values: [arrayText([...ordinals])] })
  const byOrdinal = new Map<SqlValue, SqlRow>(scopes.map((row) => [SCOPES.integer(row, 'ordinal'), row]))
  const byId = new Map<SqlValue, SqlRow>(scopes.map((row) => [SCOPES.text(row, 'id'), row]))
  return createSumOwners({ byOrdinal: (ordinal) => byOrdinal.get(ordinal), byId: (id) => byId.get(id) })
}
