import type { Socket } from 'node:net'
import type { BoundedOutput } from '../output/bounded-output.ts'
import { ToolFailure } from '../tool-failure.ts'
import type { Program } from './programs.ts'

/** How a command ended. */
export interface CommandEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly isTimedOut: boolean
  /** The pids of what it left running. */
  readonly left: readonly number[]
}

export interface CommandOptions {
  readonly output: BoundedOutput
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

// What it wrote last is still in the pipe; what it left behind may keep the pipe open for ever.
const LAST_OUTPUT_MS = 200

/** Stays with a command until it has ended, by itself or because it had to. Rejects with the signal's reason. */
export async function runCommand(program: Program, { output, timeoutMs, signal }: CommandOptions): Promise<CommandEnd> {
  const { child } = program
  const read = readOutput(program, output)
  let isTimedOut = false
  let ending: Promise<void> | null = null
  const end = (): void => {
    ending ??= program.end()
  }
  const timeout = setTimeout(() => {
    isTimedOut = true
    end()
  }, timeoutMs)
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted) end()
  try {
    const [code, killedBy] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) => {
        if (child.pid === undefined) reject(new ToolFailure(`The command cannot be started (${error.code}).`, error))
      })
      child.once('exit', (code, killed) => resolve([code, killed]))
    })
    await (ending as Promise<void> | null)
    await read.lastOutput()
    signal?.throwIfAborted()
    return { code, signal: killedBy, isTimedOut, left: program.left().map(({ pid }) => pid) }
  } finally {
    clearTimeout(timeout)
    signal?.removeEventListener('abort', end)
    read.stop()
  }
}

/** Both outputs in the order in which they come. */
function readOutput({ child }: Program, output: BoundedOutput) {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null)
  let isOn = true
  const ends = streams.map((stream) => {
    stream.on('data', (chunk: Buffer) => {
      // What is left behind may go on writing: it is read and forgotten, so that it is not stopped by it.
      if (isOn) output.add(chunk)
    })
    stream.on('error', () => {})
    return new Promise<void>((resolve) => void stream.once('close', resolve))
  })
  return {
    async lastOutput() {
      let timeout: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timeout = setTimeout(resolve, LAST_OUTPUT_MS)
      })
      await Promise.race([Promise.all(ends), late])
      clearTimeout(timeout)
    },
    stop() {
      isOn = false
      // Nobody keeps us from ending.
      for (const stream of streams) (stream as Socket).unref?.()
    },
  }
}
