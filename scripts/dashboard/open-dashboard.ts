import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { openDemoStage } from '../../src/cli/demo/demo-stage.ts'
import { createProcessPlatform } from '../../src/cli/process-platform.ts'
import { createSqliteStore } from '../../src/stores/sqlite/index.ts'
import { writePastWork } from './past-work.ts'
import { playPresentWork } from './present-work.ts'
import { seededRandom } from './seeded-random.ts'

const PROGRAM = join(import.meta.dirname, '../../dist/cli/stint.js')
const PAST = { hours: 22, jobs: 110 }
const GRACE_MS = 5000
const MOST_SAID = 4000

export interface OpenDashboard {
  /** The address that signs in, once. */
  readonly signIn: string
  /** Rejects if the server ends by itself. */
  readonly failed: Promise<never>
  /** Ends everything, and leaves no file behind. */
  close(): Promise<void>
}

/** The built `stint serve` on a ledger of its own, and a made-up team that works until `signal` aborts. */
export async function openDashboard(signal: AbortSignal, port = 0): Promise<OpenDashboard> {
  const stage = await openDemoStage(createProcessPlatform())
  const random = seededRandom(7)
  const cleanUp = async (): Promise<void> => {
    await withinGrace(stage.close()).catch(() => {})
    stage.remove()
  }
  try {
    const store = createSqliteStore({ file: stage.ledgerFile })
    await writePastWork(store, { ...PAST, random, signal })
    await store.dispose()
    const server = await startServer(stage.homeFolder, port)
    const pass = (milliseconds: number): Promise<void> => wait(milliseconds, undefined, { signal }).catch(() => {})
    const played = playPresentWork(stage, { governor: stage.governor, random, signal, pass })
    return {
      signIn: server.signIn,
      failed: server.failed,
      async close() {
        await withinGrace(Promise.all([server.stop(), played]))
        server.kill()
        await cleanUp()
      },
    }
  } catch (error) {
    await cleanUp()
    throw error
  }
}

/** Waits for what ends, but not forever. No timer is left that keeps the process alive. */
async function withinGrace(ending: Promise<unknown>): Promise<void> {
  const ended = new AbortController()
  await Promise.race([ending, wait(GRACE_MS, undefined, { signal: ended.signal })]).finally(() => ended.abort())
}

async function startServer(home: string, port: number) {
  // In a process group of its own, so that Ctrl-C reaches only us, and it is ended in order. Of the user's own config
  // nothing is read.
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--port', String(port), '--grace', '1s', '--json'], {
    env: { ...process.env, STINT_HOME: home, XDG_CONFIG_HOME: home },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text) => {
    said = `${said}${text}`.slice(-MOST_SAID)
  })
  const ended = once(child, 'exit')
  const first = once(createInterface(child.stdout), 'line').then(([line]) => String(line))
  const line = await Promise.race([first, ended.then(() => null)])
  if (line === null) throw new Error(`stint serve has ended: ${said}`)
  const { signIn } = JSON.parse(line)
  let isStopping = false
  const failed = ended.then(([code, reason]): Promise<never> => {
    if (isStopping) return new Promise(() => {})
    throw new Error(`stint serve has ended by itself (${code ?? reason}): ${said}`)
  })
  // Whether anyone waits for it or not.
  failed.catch(() => {})
  return {
    signIn: String(signIn),
    failed,
    async stop() {
      isStopping = true
      if (child.exitCode === null) child.kill('SIGTERM')
      await ended
    },
    kill: () => void (child.exitCode === null && child.kill('SIGKILL')),
  }
}
