import { setTimeout as delay } from 'node:timers/promises'
import { codeOf } from '../../core/checks/thrown.ts'
import { columnsOf } from '../records/rows/columns-of.ts'
import { type Connections, isConnectionLost } from './database/connections.ts'

const STATES = columnsOf('transactions')

// A server that crashes is back within seconds; a failover takes up to a minute.
const LONGEST_MS = 60_000
const PAUSE_MS = 250
// A server that has taken over may not have reached this number yet.
const UNKNOWN_NUMBER = '22023'

/** A transaction by its number, and the last journal entry that it wrote. */
export interface TransactionId {
  readonly xid: number
  readonly entry: { readonly root: string; readonly place: number; readonly hash: Uint8Array } | null
}

/**
 * Whether a transaction whose answer was lost was committed. Its journal entry is proof, even on a server that has
 * taken over. Throws if the server doesn't come back.
 */
export async function wasCommitted(connections: Connections, { xid, entry }: TransactionId): Promise<boolean> {
  for (let waitedMs = 0; ; waitedMs += PAUSE_MS) {
    try {
      const state = await stateOf(connections, xid)
      if (state !== 'in progress') return entry === null ? state === 'committed' : await hasEntry(connections, entry)
    } catch (error) {
      if (!isConnectionLost(error) || waitedMs >= LONGEST_MS) throw error
    }
    await delay(PAUSE_MS)
  }
}

async function stateOf(connections: Connections, xid: number): Promise<string | null> {
  const query = { text: 'SELECT pg_xact_status($1::text::xid8) AS state', values: [String(xid)] }
  try {
    const [row] = await connections.look(query)
    return STATES.textOrNull(row!, 'state')
  } catch (error) {
    if (codeOf(error) === UNKNOWN_NUMBER) return null
    throw error
  }
}

async function hasEntry(
  connections: Connections,
  { root, place, hash }: NonNullable<TransactionId['entry']>,
): Promise<boolean> {
  const text = `SELECT 1 AS found FROM journal WHERE root = $1 AND place = $2 AND hash = decode($3, 'hex')`
  const values = [root, place, Buffer.from(hash).toString('hex')]
  return (await connections.look({ text, values })).length > 0
}
