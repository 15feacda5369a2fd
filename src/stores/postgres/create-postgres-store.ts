import { type AlertRule, assertKnownOptions, type Clock, type LedgerStore, optionNames } from '../../core/index.ts'
import { createSystemClock } from '../../system/index.ts'
import { createAlertBook } from '../operations/alerts/alert-book.ts'
import { beat } from '../operations/holders.ts'
import { type RunOnLedger, storeOverLedger } from '../operations/store-over-ledger.ts'
import { columnsOf } from '../records/rows/columns-of.ts'
import { StoreClosedError } from '../records/store-errors.ts'
import { type AnyRequest, addressOf } from './address-of.ts'
import { createListener } from './create-listener.ts'
import { openConnections } from './database/connections.ts'
import { addressIn } from './database/database-address.ts'
import { migrate } from './database/migrate.ts'
import { errorFrom } from './error-from.ts'
import { createFollowing } from './following.ts'
import type { QueuedOperation } from './queued-operation.ts'
import { createQueues } from './queues.ts'
import { readSums } from './read-sums.ts'
import { createServerClock } from './server-clock.ts'

const SCHEMAS = columnsOf('schemas')

export interface PostgresStoreOptions {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. */
  readonly url: string
  /** How many connections this process opens at most. Default: 8. */
  readonly connections?: number
  /** How long an operation may wait for others and for the server. Default: 10 seconds. */
  readonly busyMs?: number
  /** How many operations can share one transaction. Default: 64. */
  readonly maxBatch?: number
  readonly clock?: Clock
  /** Changes the time that the server's clock reports. For tests. */
  readonly serverTime?: (serverMs: number) => number
  /** When alerts are raised. Default: `DEFAULT_ALERTS`. */
  readonly alerts?: readonly AlertRule[]
}

const OPTIONS = optionNames<PostgresStoreOptions>({
  url: true,
  connections: true,
  busyMs: true,
  maxBatch: true,
  clock: true,
  serverTime: true,
  alerts: true,
})

/**
 * The ledger in a Postgres database, for many machines. Concurrent operations on one tree share a transaction; trees
 * don't wait for each other. Every time in it is the server's.
 */
export function createPostgresStore(options: PostgresStoreOptions): LedgerStore {
  assertKnownOptions('createPostgresStore', options, OPTIONS)
  const address = addressIn('createPostgresStore({ url })', options.url)
  const { connections: most = 8, busyMs = 10_000, maxBatch = 64 } = options
  const { clock = createSystemClock(), serverTime = (serverMs) => serverMs } = options
  const connections = openConnections({ address, most, connectMs: busyMs, statementMs: busyMs, lockMs: busyMs })
  const { note, moved } = createServerClock(clock)
  const serverClock = { moved, note: (serverMs: number) => note(serverTime(serverMs)) }
  let ready: Promise<void> | null = null
  let isClosed = false

  /** Migrates once. If that fails, the next operation tries again. */
  function prepared(): Promise<void> {
    ready ??= connections.use(migrate).catch((error) => {
      ready = null
      throw error
    })
    return ready
  }

  const alerts = createAlertBook('createPostgresStore({ alerts })', options.alerts)
  const queues = createQueues({ connections, serverClock, clock, maxBatch, alerts })
  const toError = (error: unknown): unknown => errorFrom(error, address)

  const run: RunOnLedger = (operation, request) => {
    if (isClosed) return Promise.reject(new StoreClosedError())
    return new Promise((resolve, reject) => {
      const queued: QueuedOperation = {
        request: (request ?? {}) as AnyRequest,
        needs: operation.needs(request),
        run: operation.run as QueuedOperation['run'],
        deadlineMs: clock.monotonicMs() + busyMs,
        resolve: resolve as (value: unknown) => void,
        reject: (error) => reject(toError(error)),
      }
      const isBeat = queued.run === (beat as unknown)
      prepared().then(
        () => (operation.reads ? queues.read(queued) : queues.write(queued, addressOf(queued.request, isBeat))),
        queued.reject,
      )
    })
  }

  const following = createFollowing(connections, prepared, toError)
  const listener = createListener(connections, async () => {
    await prepared()
    const [row] = await connections.look({ text: 'SELECT current_schema() AS name', values: [] })
    return SCHEMAS.text(row!, 'name')
  })
  return storeOverLedger(run, {
    isShared: true,
    ...following,
    poll(request) {
      listener.ensure()
      return following.poll(request)
    },
    listen: listener.listen,
    sums: (request) => {
      return prepared()
        .then(() => readSums(connections, request))
        .catch((error) => Promise.reject(toError(error)))
    },
    async dispose() {
      isClosed = true
      listener.stop()
      await queues.idle()
      await connections.close()
    },
  })
}
