import { setTimeout as delay } from 'node:timers/promises'
import type { LedgerStore } from '../../core/index.ts'
import { columnsOf } from '../records/rows/columns-of.ts'
import type { Connections, Session } from './database/connections.ts'

const FOUND = columnsOf('changes')

// A reader that is further behind checks everything.
const MOST_FOUND = 10_000
// A transaction that is still open may have a lower number than those already found. Most end within milliseconds.
const PAUSE_MS = 5
const MOST_PAUSES = 20

interface Found {
  readonly ids: readonly string[] | null
  /** Every transaction below this number has ended: the next read starts here. */
  readonly cursor: number
  /** Everything found so far is before it, and is not found again. */
  readonly isWhole: boolean
}

/**
 * Follows what all processes write, by transaction number. Never skips one that is still open: until it has ended,
 * later ones are found again.
 */
export function createFollowing(
  connections: Connections,
  prepared: () => Promise<void>,
  toError: (error: unknown) => unknown,
): Pick<LedgerStore, 'poll' | 'changed'> {
  async function look(text: string, since: number | null): Promise<Found> {
    try {
      await prepared()
      for (let pauses = 0; ; pauses++) {
        const found = await connections.use((session) => lookOnce(session, text, since))
        if (found.isWhole || pauses === MOST_PAUSES) return found
        await delay(PAUSE_MS)
      }
    } catch (error) {
      throw toError(error)
    }
  }
  return {
    async poll({ since }) {
      const { ids, cursor } = await look(STEERED, since)
      return { cursor, steered: ids }
    },
    async changed({ since }) {
      const { ids, cursor } = await look(CHANGED, since)
      return { cursor, roots: ids, scopes: ids !== null && ids.length === 0 ? [] : null }
    },
  }
}

const STEERED = `SELECT id, steered_by::text::bigint AS number FROM scopes WHERE steered_by >= $1::text::xid8`
const CHANGED = `SELECT id, written::text::bigint AS number FROM roots WHERE written >= $1::text::xid8`

async function lookOnce(session: Session, text: string, since: number | null): Promise<Found> {
  const first = [
    session.begin(true).then(() => []),
    session.query({ text: 'SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS number', values: [] }),
    since === null
      ? Promise.resolve([])
      : session.query({ text: `${text} LIMIT ${MOST_FOUND + 1}`, values: [String(since)] }),
    session.rollback().then(() => []),
  ]
  const [, numbers, rows] = await Promise.all(first)
  const cursor = FOUND.integer(numbers![0]!, 'number')
  const isWhole = rows!.every((row) => FOUND.integer(row, 'number') < cursor)
  const ids = rows!.length > MOST_FOUND ? null : rows!.map((row) => FOUND.text(row, 'id'))
  return { ids, cursor, isWhole }
}
