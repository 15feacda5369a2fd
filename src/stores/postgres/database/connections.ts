import postgres from 'postgres'
import { codeOf } from '../../../core/checks/thrown.ts'
import type { SqlRow } from '../../records/rows/sql-row.ts'
import { sendable } from '../rows/array-text.ts'
import type { DatabaseAddress } from './database-address.ts'
import type { Query } from './query.ts'

/** One connection, for one transaction. Queries that aren't awaited one by one are sent together. */
export interface Session {
  /** Begins the transaction. `isReading`: it reads one consistent state and changes nothing. */
  begin(isReading?: boolean): Promise<void>
  query(query: Query): Promise<readonly SqlRow[]>
  /** Runs several statements at once. */
  script(text: string): Promise<void>
  /** Commits the transaction. `false`: it was rolled back, because something in it had failed. */
  commit(): Promise<boolean>
  rollback(): Promise<void>
}

/** The connections of one process to one database. */
export interface Connections {
  /** Runs work on a separate connection. */
  use<Result>(work: (session: Session) => Promise<Result>): Promise<Result>
  /** Runs one query that changes nothing. */
  look(query: Query): Promise<readonly SqlRow[]>
  /** Listens to a channel on a separate connection, until that is lost. Through some poolers nothing ever arrives. */
  listen(channel: string, hear: (payload: string) => void, lost: () => void): Promise<Listening>
  close(): Promise<void>
}

/** A connection that listens to a channel. */
export interface Listening {
  /** Ends it. */
  stop(): void
}

export interface ConnectionOptions {
  readonly address: DatabaseAddress
  readonly most: number
  readonly connectMs: number
  readonly statementMs: number
  readonly lockMs: number
}

// Numbers are integers up to 2^53: larger ones are not ours.
const WHOLE_NUMBERS = { to: 20, from: [20], parse: Number, serialize: String }

/** A pooled connection, used by one piece of work at a time. */
interface Slot {
  readonly sql: postgres.Sql
  readonly connection: postgres.ReservedSql
  readonly waiting: Waiting
  readonly prepare: boolean
}

// From a pooler that doesn't know a setting.
const REFUSED_AT_START = '08P01'

// A plan made while a table was new and had no statistics would scan the whole table for as long as the connection
// lives, but all our tables are read by an index. Planning or compiling such short statements again takes longer than
// running them.
const PLANS = { enable_seqscan: 'off', jit: 'off', plan_cache_mode: 'force_generic_plan' } as const

/** Connects on demand. */
export function openConnections(options: ConnectionOptions): Connections {
  const { most, statementMs, lockMs } = options
  const { url, schema, encryption, prepare: isPrepared } = options.address
  const searchPath = schema === null ? null : quotedName(schema)
  const settings = {
    ...PLANS,
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    // A process that is frozen in the middle of a transaction would otherwise keep a whole tree locked. Those that wait
    // for it still get their turn.
    idle_in_transaction_session_timeout: Math.ceil(lockMs / 2),
    ...(searchPath === null ? {} : { search_path: searchPath }),
  }
  // The server cancels anything longer. This also detects connections that die silently.
  const longestMs = statementMs + lockMs
  const idle: Slot[] = []
  const waiting: (() => void)[] = []
  let used = 0
  // Behind a pooler, any connection may get a transaction, so the settings are repeated in each transaction.
  let isPooled = false

  async function connect(): Promise<Slot> {
    if (isPooled) return connectOnce()
    try {
      const slot = await connectOnce()
      if (await hasSettings(slot)) return slot
      void slot.sql.end({ timeout: 0 })
    } catch (error) {
      if (codeOf(error) !== REFUSED_AT_START) throw error
    }
    isPooled = true
    return connectOnce()
  }

  /** A pooler may ignore the initial settings of a connection. */
  async function hasSettings({ connection }: Slot): Promise<boolean> {
    const [row] = await connection.unsafe(`SELECT (current_setting('statement_timeout')::interval
      = make_interval(secs => ${statementMs / 1000})
      ${searchPath === null ? '' : `AND current_setting('search_path') = ${quotedText(searchPath)}`})::int AS has`)
    return row?.has === 1
  }

  function begin(isReading: boolean): string {
    const start = isReading ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN'
    if (!isPooled) return start
    const told = Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = ${value}`)
    return [start, ...told].join('; ')
  }

  async function connectOnce(): Promise<Slot> {
    const prepare = isPrepared ?? !isPooled
    const waiting = createWaiting(longestMs)
    const sql = postgres(url, {
      ssl: encryption,
      onclose: () => waiting.lose(closedError('The server closed the connection.')),
      max: 1,
      connect_timeout: Math.ceil(options.connectMs / 1000),
      idle_timeout: 0,
      max_lifetime: null,
      fetch_types: false,
      prepare,
      onnotice: () => {},
      types: { bigint: WHOLE_NUMBERS },
      connection: {
        application_name: 'stint',
        ...(isPooled ? {} : settings),
      },
    })
    try {
      // The library only hands out connections safely once they are open.
      await sql.unsafe('SELECT 1')
      return { sql, connection: await sql.reserve(), waiting, prepare }
    } catch (error) {
      void sql.end({ timeout: 0 })
      throw error
    }
  }

  /** An idle connection that was not closed meanwhile. */
  function living(): Slot | null {
    for (;;) {
      const slot = idle.pop()
      if (slot === undefined) return null
      if (!slot.waiting.isLost()) return slot
      void slot.sql.end({ timeout: 0 })
    }
  }

  /** Waits for a turn: at most `most` run at a time. */
  async function enter(): Promise<void> {
    if (used < most) used++
    else await new Promise<void>((resolve) => void waiting.push(resolve))
  }

  function leave(): void {
    const next = waiting.shift()
    if (next === undefined) used--
    else next()
  }

  async function use<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    await enter()
    try {
      const { sql, connection, waiting, prepare } = living() ?? (await connect())
      const { answerOf, isLost } = waiting
      const run = (text: string, values: readonly unknown[]) =>
        answerOf(() => connection.unsafe(text, values as never[], { prepare }))
      try {
        return await work({
          begin: async (isReading = false) => {
            const text = begin(isReading)
            await (isPooled ? answerOf(() => connection.unsafe(text).simple()) : run(text, []))
          },
          query: async ({ text, values }) => (await run(text, values.map(sendable))) as unknown as readonly SqlRow[],
          script: async (text) => void (await answerOf(() => connection.unsafe(text).simple())),
          commit: async () => (await run('COMMIT', [])).command !== 'ROLLBACK',
          rollback: async () => {
            if (!isLost()) await run('ROLLBACK', [])
          },
        })
      } finally {
        if (isLost()) void sql.end({ timeout: 0 })
        else idle.push({ sql, connection, waiting, prepare })
      }
    } finally {
      leave()
    }
  }

  return {
    use,
    look: (query) =>
      use(async (session) => {
        if (!isPooled) return session.query(query)
        const [, found] = await Promise.all([session.begin(true), session.query(query), session.rollback()])
        return found
      }),
    async listen(channel, hear, lost) {
      let isOver = false
      const stop = (): void => {
        if (isOver) return
        isOver = true
        void sql.end({ timeout: 0 })
        lost()
      }
      const sql: postgres.Sql = postgres(url, {
        ssl: encryption,
        max: 1,
        connect_timeout: Math.ceil(options.connectMs / 1000),
        idle_timeout: 0,
        max_lifetime: null,
        fetch_types: false,
        onnotice: () => {},
        onclose: stop,
        connection: { application_name: 'stint' },
      })
      try {
        await sql.listen(channel, hear)
      } catch (error) {
        stop()
        throw error
      }
      return { stop }
    },
    async close() {
      await Promise.all(idle.splice(0).map(({ sql }) => sql.end({ timeout: 0 })))
    },
  }
}

/** The queries that a connection has not answered yet. */
interface Waiting {
  /** Sends a query, unless the connection is lost. */
  answerOf<Answer>(send: () => Promise<Answer>): Promise<Answer>
  lose(error: Error): void
  isLost(): boolean
}

/**
 * When a connection is lost, the library only fails the queries that were sent: those queued behind them fail here. A
 * query without an answer for this long counts as lost, too.
 */
function createWaiting(mostMs: number): Waiting {
  const waiting = new Set<(error: unknown) => void>()
  let lostBy: Error | null = null
  function lose(error: Error): void {
    lostBy ??= error
    for (const reject of waiting) reject(error)
    waiting.clear()
  }
  return {
    isLost: () => lostBy !== null,
    lose,
    answerOf(send) {
      if (lostBy !== null) return Promise.reject(lostBy)
      return new Promise((resolve, reject) => {
        waiting.add(reject)
        const timer = setTimeout(() => lose(closedError(`No answer within ${mostMs} ms.`)), mostMs)
        const done = (): void => {
          clearTimeout(timer)
          waiting.delete(reject)
        }
        send().then(
          (value) => {
            done()
            resolve(value)
          },
          (error) => {
            done()
            reject(error)
            if (isConnectionLost(error)) lose(error)
          },
        )
      })
    },
  }
}

function closedError(message: string): Error {
  return Object.assign(new Error(message), { code: 'CONNECTION_CLOSED' })
}

function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function quotedText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

const LOST = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  // We were frozen in the middle of a transaction.
  '25P03',
  // The server is shutting down, has crashed, or is starting.
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08003',
  '08006',
])

/** Whether the server is unreachable, so that a retry may succeed later. */
export function isConnectionLost(error: unknown): boolean {
  return LOST.has(codeOf(error) ?? '')
}
