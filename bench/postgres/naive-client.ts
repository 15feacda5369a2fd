import postgres from 'postgres'
import { CHARGED, RESERVED } from '../spend.ts'

/** One call after the other, each reserve and each settle in a transaction of its own, as one would first write it. */
export interface NaiveClient {
  reserve(id: string): Promise<boolean>
  settle(id: string): Promise<void>
  close(): Promise<void>
}

const METERS = ['tool_calls', 'model_calls', 'tokens', 'cost'] as const
const VALUES = ['toolCalls', 'modelCalls', 'tokens', 'cost'] as const

/** A path of scopes, with a limit on each of four meters, and reservations. No journal, no events, no windows. */
export async function createNaiveTables(url: string, depth: number): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const columns = METERS.map((meter) => `${meter}_max bigint, ${meter}_reserved bigint, ${meter}_settled bigint`)
  await sql.unsafe(`CREATE TABLE naive_scopes (id integer PRIMARY KEY, ${columns.join(', ')});
    CREATE TABLE naive_calls (id text PRIMARY KEY, state text NOT NULL, amounts jsonb NOT NULL);`)
  const values = METERS.map(() => `${2 ** 52}, 0, 0`).join(', ')
  for (let scope = 0; scope < depth; scope++) {
    await sql.unsafe(`INSERT INTO naive_scopes VALUES (${scope}, ${values})`)
  }
  await sql.end()
}

/** Five round trips for each: begin, lock and read, write the counters, write the call, commit. */
export function createNaiveClient(url: string, connections: number): NaiveClient {
  const sql = postgres(url, { max: connections, fetch_types: false })
  return {
    reserve: (id) =>
      sql.begin(async (transaction) => {
        const rows = await transaction`SELECT * FROM naive_scopes ORDER BY id FOR UPDATE`
        const fits = rows.every((row) =>
          METERS.every((meter, place) => {
            const [max, reserved, settled] = ['max', 'reserved', 'settled'].map((of) => Number(row[`${meter}_${of}`]))
            return settled! + reserved! + RESERVED[VALUES[place]!] <= max!
          }),
        )
        if (!fits) return false
        const { toolCalls, modelCalls, tokens, cost } = RESERVED
        await transaction`UPDATE naive_scopes SET tool_calls_reserved = tool_calls_reserved + ${toolCalls},
          model_calls_reserved = model_calls_reserved + ${modelCalls}, tokens_reserved = tokens_reserved + ${tokens},
          cost_reserved = cost_reserved + ${cost}`
        await transaction`INSERT INTO naive_calls VALUES (${id}, 'open', ${sql.json(RESERVED)})`
        return true
      }),
    async settle(id) {
      await sql.begin(async (transaction) => {
        await transaction`SELECT id FROM naive_scopes ORDER BY id FOR UPDATE`
        const { toolCalls, modelCalls, tokens, cost } = CHARGED
        await transaction`UPDATE naive_scopes SET tool_calls_reserved = tool_calls_reserved - ${RESERVED.toolCalls},
          tool_calls_settled = tool_calls_settled + ${toolCalls},
          model_calls_reserved = model_calls_reserved - ${RESERVED.modelCalls},
          model_calls_settled = model_calls_settled + ${modelCalls},
          tokens_reserved = tokens_reserved - ${RESERVED.tokens}, tokens_settled = tokens_settled + ${tokens},
          cost_reserved = cost_reserved - ${RESERVED.cost}, cost_settled = cost_settled + ${cost}`
        await transaction`UPDATE naive_calls SET state = 'settled', amounts = ${sql.json(CHARGED)} WHERE id = ${id}`
      })
    },
    close: () => sql.end(),
  }
}
