import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** A process of its own that tells what it does, one line of JSON at a time. Killed at the latest when the test ends. */
export interface Worker {
  readonly process: ChildProcess
  /** The next thing that it tells. */
  next(): Promise<Record<string, unknown>>
  kill(): Promise<void>
}

/** Starts a program of ours. */
export function startWorker(program: URL, ...args: readonly string[]): Worker {
  return startProgram([process.execPath, '--disable-warning=ExperimentalWarning', fileURLToPath(program), ...args])
}

/** Starts any program. */
export function startProgram([program = '', ...args]: readonly string[]): Worker {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(kill)
  return {
    process: child,
    async next() {
      const { value, done } = await lines.next()
      if (done === true) throw new Error('It ended without a word.')
      return JSON.parse(value) as Record<string, unknown>
    },
    kill,
  }
}
