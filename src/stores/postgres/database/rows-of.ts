import type { SqlRow } from '../../records/rows/sql-row.ts'
import type { Session } from './connections.ts'
import type { Query } from './query.ts'

const AT_ONCE = 1_000
const MOST_FETCHES = 1_000_000_000

let cursors = 0

/**
 * The rows of a query, a thousand at a time, so that memory use does not depend on their number. Only in a transaction.
 */
export async function* rowsOf(session: Session, { text, values }: Query): AsyncGenerator<readonly SqlRow[]> {
  const name = `rows_${++cursors}`
  await session.query({ text: `DECLARE ${name} NO SCROLL CURSOR FOR ${text}`, values })
  for (let fetches = 0; fetches < MOST_FETCHES; fetches++) {
    const rows = await session.query({ text: `FETCH ${AT_ONCE} FROM ${name}`, values: [] })
    if (rows.length > 0) yield rows
    if (rows.length < AT_ONCE) break
  }
  await session.query({ text: `CLOSE ${name}`, values: [] })
}
