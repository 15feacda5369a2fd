import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Told, WorkerOrder } from './told.ts'

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url))

export interface Worker {
  readonly order: WorkerOrder
  kill(): void
  /** Resolves when it is dead and everything that it has told was heard. */
  readonly end: Promise<WorkerEnd>
}

export interface WorkerEnd {
  readonly wasKilled: boolean
  /** Its error output, if it failed. */
  readonly complaint: string
}

const FLAGS = ['--disable-warning=ExperimentalWarning', WORKER]

/** Lets one worker load its code and exit normally: killed workers keep nothing for the next one. */
export function warmUp(file: string): void {
  spawnSync(process.execPath, FLAGS, { env: environmentFor(file) })
}

function environmentFor(file: string): NodeJS.ProcessEnv {
  return { ...process.env, NODE_COMPILE_CACHE: join(dirname(file), 'compile-cache') }
}

/** Starts a worker, and reads its output. */
export function startWorker(order: WorkerOrder, hear: (told: Told) => void): Worker {
  const child: ChildProcess = spawn(process.execPath, [...FLAGS, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environmentFor(order.file),
  })
  let complaint = ''
  child.stderr?.on('data', (bytes) => {
    complaint += String(bytes)
  })
  const lines = createInterface({ input: child.stdout! })
  // A line that was cut off by the end was not told.
  lines.on('line', (line) => {
    if (line.endsWith('}')) hear(JSON.parse(line) as Told)
  })
  const heard = new Promise((resolve) => lines.once('close', resolve))
  const end = new Promise<WorkerEnd>((resolve) => {
    child.once('close', async (_, signal) => {
      await heard
      resolve({ wasKilled: signal === 'SIGKILL', complaint })
    })
  })
  return { order, kill: () => child.kill('SIGKILL'), end }
}
