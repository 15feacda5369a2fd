import { type Connections, openConnections, type Session } from './database/connections.ts'
import { addressIn } from './database/database-address.ts'
import { errorFrom } from './error-from.ts'

const CONNECT_MS = 10_000
// Long enough for a statement over many rows; one that waits for locks gives up earlier.
const STATEMENT_MS = 600_000
const LOCK_MS = 10_000

/** Works on a database over one separate connection. Errors name the place and the fix. */
export async function withDatabase<Result>(
  where: string,
  url: string,
  work: (session: Session, connections: Connections) => Promise<Result>,
): Promise<Result> {
  const address = addressIn(where, url)
  const connections = openConnections({
    address,
    most: 1,
    connectMs: CONNECT_MS,
    statementMs: STATEMENT_MS,
    lockMs: LOCK_MS,
  })
  try {
    return await connections.use((session) => work(session, connections))
  } catch (error) {
    throw errorFrom(error, address)
  } finally {
    await connections.close()
  }
}

/** Runs work in a transaction that reads one consistent state and changes nothing. */
export async function reading<Result>(session: Session, work: () => Promise<Result>): Promise<Result> {
  await session.begin(true)
  try {
    return await work()
  } finally {
    await session.rollback().catch(() => {})
  }
}
