import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import type { AskCommand } from '../config/read-on-ask.ts'

export interface AskCommandCall {
  readonly command: AskCommand
  /** What it reads from standard input. */
  readonly input: string
  readonly env: Readonly<Record<string, string>>
  readonly workingFolder: string
  readonly timeoutMs: number
}

/** Runs the command of `onAsk` to its end. `null`: it did its work; otherwise why not. Never throws. */
export function runAskCommand({ command, input, timeoutMs, ...options }: AskCommandCall): Promise<string | null> {
  const { env, workingFolder: cwd } = options
  // In a group of its own, so that what it starts can be ended with it.
  const spawned: SpawnOptions = { cwd, env, detached: true, stdio: ['pipe', 'ignore', 'ignore'] }
  return new Promise((resolve) => {
    let child: ChildProcess
    try {
      child =
        typeof command === 'string'
          ? spawn(command, { ...spawned, shell: true })
          : spawn(command[0]!, command.slice(1), spawned)
    } catch (error) {
      resolve((error as Error).message)
      return
    }
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      endGroup(child)
    }, timeoutMs)
    const finish = (fault: string | null): void => {
      clearTimeout(timer)
      resolve(fault)
    }
    child.once('error', (error) => finish(error.message))
    child.once('exit', (code, signal) => {
      if (isLate) finish(`it was not done after ${timeoutMs / 1000} seconds`)
      else finish(code === 0 ? null : `it ended with ${code ?? signal}`)
    })
    // It need not read what it is told.
    child.stdin!.on('error', () => {})
    child.stdin!.end(input)
  })
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
