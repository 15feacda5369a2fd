import { isStintError } from '../../core/index.ts'
import type { Connections, Session } from './database/connections.ts'
import { isConnectionLost } from './database/connections.ts'
import type { QueuedOperation } from './queued-operation.ts'
import { createRecords, type Records } from './records.ts'
import type { Need } from './rows/need.ts'
import { documentNeed, keptNeed, requestsOpenOfNeed } from './rows/needs.ts'
import type { ServerClock } from './server-clock.ts'
import {
  type BatchNeeds,
  type Begun,
  beginReading,
  beginWriting,
  forgetKeeping,
  type Locks,
  runLoading,
  writeAndCommit,
} from './transaction.ts'
import { type TransactionId, wasCommitted } from './was-committed.ts'

/** How each operation of a batch ended. */
export type BatchEnd = readonly ({ readonly value: unknown } | { readonly error: unknown })[]

/** Runs operations in one write transaction. An error of one operation fails only that operation. */
export function writeBatch(
  connections: Connections,
  clock: ServerClock,
  records: Records,
  batch: readonly QueuedOperation[],
  locks: Locks,
): Promise<BatchEnd> {
  return connections.use(async (session) => {
    try {
      const begun = await beginWriting(session, records, locks, needsOf(batch, records))
      clock.note(begun.nowMs)
      const end = await runAll(session, records, batch, clock)
      if (records.pending.length === 0) await session.rollback()
      else {
        const id = { xid: begun.xid, entry: lastEntryIn(records) }
        if (!(await committed(connections, () => writeAndCommit(session, records, begun.roots), id))) {
          throw new Error('The transaction was rolled back.')
        }
      }
      settleMemory(records, begun)
      return end
    } catch (error) {
      records.forget()
      await session.rollback().catch(() => {})
      throw error
    }
  })
}

/** Runs read-only operations on one consistent state. */
export function readBatch(
  connections: Connections,
  clock: ServerClock,
  batch: readonly QueuedOperation[],
): Promise<BatchEnd> {
  return connections.use(async (session) => {
    const records = createRecords()
    try {
      clock.note(await beginReading(session, records, needsOf(batch, records)))
      return await runAll(session, records, batch, clock)
    } finally {
      await session.rollback().catch(() => {})
    }
  })
}

/**
 * Everything in memory is valid as of this transaction, or as of the previous one if this one wrote nothing. If neither
 * is known, memory is dropped.
 */
function settleMemory(records: Records, { change }: Begun): void {
  const isWritten = records.pending.length > 0
  records.pending.length = 0
  if (isWritten) records.change = records.number
  else if (change === null) records.forget()
  else records.change = change
}

async function runAll(
  session: Session,
  records: Records,
  batch: readonly QueuedOperation[],
  clock: ServerClock,
): Promise<BatchEnd> {
  const failed = new Map<QueuedOperation, unknown>()
  return runLoading(session, records, () => {
    for (;;) {
      const refused = failed.size
      const end = batch.map((operation) => {
        if (failed.has(operation)) return { error: failed.get(operation) }
        try {
          return { value: operation.run(records.ledger, clock.moved(operation.request)) }
        } catch (error) {
          if (!isStintError(error)) throw error
          // It may have changed something in memory, so the others are run again without it.
          failed.set(operation, error)
          return { error }
        }
      })
      if (failed.size === refused) {
        records.flush()
        return end
      }
      forgetKeeping(records)
    }
  })
}

/** What the batch will likely read and that isn't in memory. */
function needsOf(batch: readonly QueuedOperation[], { ledger, change }: Records): BatchNeeds {
  const [scopes, calls, holders] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const others = new Map<string, Need>()
  for (const { needs } of batch) {
    for (const id of needs.paths ?? []) if (change === null || !ledger.scopes.has(id)) scopes.add(id)
    for (const id of needs.reservations ?? []) calls.add(id)
    for (const id of needs.holders ?? []) holders.add(id)
    for (const need of [
      ...(needs.documents ?? []).map(documentNeed),
      ...(needs.requestsOf ?? []).map(requestsOpenOfNeed),
      ...(needs.kept ?? []).map(keptNeed),
    ]) {
      others.set(need.key, need)
    }
  }
  return { contents: { scopes: [...scopes], calls: [...calls], holders: [...holders] }, others: [...others.values()] }
}

/** If the answer to the commit was lost, asks the server whether it happened. */
async function committed(
  connections: Connections,
  commit: () => Promise<boolean>,
  id: TransactionId,
): Promise<boolean> {
  try {
    return await commit()
  } catch (error) {
    if (!isConnectionLost(error)) throw error
    if (await wasCommitted(connections, id)) return true
    throw error
  }
}

function lastEntryIn({ pending }: Records): TransactionId['entry'] {
  const last = pending.findLast(({ name }) => name === 'appendEntry')
  if (last === undefined) return null
  const [root, place, , , hash] = last.values
  return { root: root as string, place: place as number, hash: hash as Uint8Array }
}
