import { codeOf } from '../../core/checks/thrown.ts'
import { type AgingMap, type Clock, createAgingMap } from '../../core/index.ts'
import type { AlertBook } from '../operations/index.ts'
import { columnsOf } from '../records/rows/columns-of.ts'
import { StoreBusyError } from '../records/store-errors.ts'
import { type Address, holdersIn } from './address-of.ts'
import { type Connections, isConnectionLost } from './database/connections.ts'
import type { Query } from './database/query.ts'
import type { QueuedOperation } from './queued-operation.ts'
import { createRecords, type Records } from './records.ts'
import { rootOfCall, rootsOfHolder } from './rows/needs.ts'
import { type BatchEnd, readBatch, writeBatch } from './run-batch.ts'
import type { ServerClock } from './server-clock.ts'
import type { Locks } from './transaction.ts'

const SCOPES = columnsOf('scopes')

// How many trees stay in memory, and for how many scopes and calls the tree is remembered.
const MOST_TREES = 1_000
const MOST_PLACES = 100_000
const MOST_ENDED = 2_000
// Conflicts with another transaction: a retry succeeds.
const PASSING = new Set(['40001', '40P01', '23505'])
const MOST_ATTEMPTS = 5

export interface QueuesOptions {
  readonly connections: Connections
  readonly serverClock: ServerClock
  readonly clock: Clock
  readonly maxBatch: number
  readonly alerts: AlertBook
}

/** The queued operations: one queue per tree, so that trees don't wait for each other. */
export interface Queues {
  read(operation: QueuedOperation): void
  write(operation: QueuedOperation, address: Address): void
  /** Resolves when nothing is queued any more. */
  idle(): Promise<void>
}

interface Tree {
  readonly root: string
  readonly records: Records
  readonly waiting: QueuedOperation[]
  isBusy: boolean
}

export function createQueues({ connections, serverClock, clock, maxBatch, alerts }: QueuesOptions): Queues {
  const trees = new Map<string, Tree>()
  // The tree of a scope, and of a call, never changes.
  const scopes = createAgingMap<string>(MOST_PLACES)
  const calls = createAgingMap<string>(MOST_PLACES)
  const reads: QueuedOperation[] = []
  let isReading = false
  const underWay = new Set<Promise<void>>()

  function track(work: Promise<void>): void {
    underWay.add(work)
    void work.finally(() => underWay.delete(work))
  }

  function treeOf(root: string): Tree {
    const known = trees.get(root)
    if (known !== undefined) {
      // The last used one comes last.
      trees.delete(root)
      trees.set(root, known)
      return known
    }
    for (const [oldest, { isBusy, waiting }] of trees) {
      if (trees.size < MOST_TREES) break
      if (!isBusy && waiting.length === 0) trees.delete(oldest)
    }
    const tree: Tree = { root, records: createRecords(alerts), waiting: [], isBusy: false }
    trees.set(root, tree)
    return tree
  }

  function enter(root: string, operation: QueuedOperation): void {
    const tree = treeOf(root)
    tree.waiting.push(operation)
    if (tree.isBusy) return
    tree.isBusy = true
    track(workOn(tree))
  }

  async function workOn(tree: Tree): Promise<void> {
    const { root, records, waiting } = tree
    for (;;) {
      // Everything that is ready in this turn of the event loop shares a transaction, including what callers that were
      // just answered send next.
      await new Promise(setImmediate)
      if (waiting.length === 0) break
      const batch = taken(waiting)
      if (records.ledger.scopes.endedCount > MOST_ENDED) records.forget()
      const mayBeNew = batch.some(({ request }) => request.parentId === null)
      await finish(batch, () => writeBatch(connections, serverClock, records, batch, locksOf([root], batch, mayBeNew)))
    }
    tree.isBusy = false
  }

  /** Up to `maxBatch` operations from the front. Those that waited too long are refused. */
  function taken(waiting: QueuedOperation[]): readonly QueuedOperation[] {
    const nowMs = clock.monotonicMs()
    const batch: QueuedOperation[] = []
    for (const operation of waiting.splice(0, maxBatch)) {
      if (operation.deadlineMs > nowMs) batch.push(operation)
      else operation.reject(new StoreBusyError('The database was busy for longer than the deadline.'))
    }
    return batch
  }

  /** An operation on several trees, or on none: runs in a separate transaction, without the records in memory. */
  async function alone(operation: QueuedOperation, roots: readonly string[], locks: Partial<Locks>): Promise<void> {
    const batch = [operation]
    await finish(batch, () =>
      writeBatch(connections, serverClock, createRecords(alerts), batch, { ...locksOf(roots, batch, false), ...locks }),
    )
  }

  async function rootFor(query: Query): Promise<string | null> {
    const [row] = await connections.look(query)
    return row === undefined ? null : SCOPES.text(row, 'root')
  }

  async function placeOf(places: AgingMap<string>, id: string, query: Query): Promise<string | null> {
    const known = places.get(id)
    if (known !== undefined) return known
    const root = await rootFor(query)
    if (root !== null) places.set(id, root)
    return root
  }

  async function route(operation: QueuedOperation, address: Address): Promise<void> {
    if (address.kind === 'roots') {
      if (address.ids.length === 1) enter(address.ids[0]!, operation)
      else await alone(operation, address.ids, { mayBeNew: true })
      return
    }
    if (address.kind === 'holder') {
      const { holder, isDeath } = address
      // A heartbeat only waits for a declaration of death, not for its holder's calls, which may wait long for a root.
      const locks = { holders: [holder], isExclusive: isDeath }
      // Nothing new is opened for a locked holder, so its trees can be looked up.
      return alone(operation, [], isDeath ? { ...locks, findRoots: rootsOfHolder(holder) } : locks)
    }
    if (address.kind === 'lease') return alone(operation, [], {})
    const root = await rootOf(address)
    // Without a tree nothing can change, and the operation says so.
    if (root === null) await finish([operation], () => readBatch(connections, serverClock, [operation]))
    else enter(root, operation.request.reservationId === undefined ? operation : placing(operation, root))
  }

  /** Remembers the tree of a call that was granted here. */
  function placing(operation: QueuedOperation, root: string): QueuedOperation {
    const id = operation.request.reservationId!
    return {
      ...operation,
      resolve(value) {
        if (isNewGrant(value)) calls.set(id, root)
        operation.resolve(value)
      },
    }
  }

  function rootOf(address: Exclude<Address, { readonly kind: 'roots' | 'holder' | 'lease' }>): Promise<string | null> {
    const { kind, id } = address
    if (kind === 'scope') return placeOf(scopes, id, { text: 'SELECT root FROM scopes WHERE id = $1', values: [id] })
    if (kind === 'call') return placeOf(calls, id, rootOfCall(id))
    const table = kind === 'request' ? 'requests' : 'keys'
    return rootFor({
      text: `SELECT root FROM scopes WHERE id = (SELECT scope FROM ${table} WHERE id = $1)`,
      values: [id],
    })
  }

  async function readAll(): Promise<void> {
    await new Promise(setImmediate)
    while (reads.length > 0) {
      const batch = taken(reads)
      if (batch.length > 0) await finish(batch, () => readBatch(connections, serverClock, batch))
    }
    isReading = false
  }

  return {
    read(operation) {
      reads.push(operation)
      if (isReading) return
      isReading = true
      track(readAll())
    },
    write: (operation, address) => track(route(operation, address).catch(operation.reject)),
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

function locksOf(roots: readonly string[], batch: readonly QueuedOperation[], mayBeNew: boolean): Locks {
  const holders = new Set(batch.flatMap(({ request }) => holdersIn(request)))
  const kept = new Set(batch.flatMap(({ needs }) => needs.kept ?? []))
  return { roots, mayBeNew, holders: [...holders], isExclusive: false, kept: [...kept] }
}

/** Answers every operation of a batch. */
async function finish(batch: readonly QueuedOperation[], run: () => Promise<BatchEnd>): Promise<void> {
  if (batch.length === 0) return
  try {
    const ends = await repeating(run)
    for (const [index, operation] of batch.entries()) {
      const end = ends[index]!
      if ('error' in end) operation.reject(end.error)
      else operation.resolve(end.value)
    }
  } catch (error) {
    for (const operation of batch) operation.reject(error)
  }
}

async function repeating(run: () => Promise<BatchEnd>): Promise<BatchEnd> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      // An idle connection may have been closed meanwhile, so another one is tried once. By then it is known what was
      // committed, and an operation that is sent twice counts once.
      const isPassing = PASSING.has(codeOf(error) ?? '') || (attempt === 1 && isConnectionLost(error))
      if (attempt === MOST_ATTEMPTS || !isPassing) throw error
    }
  }
}

function isNewGrant(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !('duplicate' in value)) return false
  return value.kind === 'granted' && value.duplicate === false
}
