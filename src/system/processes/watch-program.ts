import { Socket } from 'node:net'
import type { Program, ProgramEnd } from './start-program.ts'

/** How a watched program ended. */
export interface WatchedEnd extends ProgramEnd {
  readonly timedOut: boolean
  /** The processes that it left running. */
  readonly left: readonly number[]
}

export interface WatchOptions {
  readonly timeoutMs: number
  /** From the first signal to the last process, once it must end. */
  readonly graceMs: number
  readonly signal?: AbortSignal | undefined
  /** Receives both outputs in the order in which they arrive. */
  readonly onOutput: (chunk: Buffer) => void
}

// The last output may still be in the pipe, but a process left behind may keep the pipe open forever.
const LAST_OUTPUT_MS = 200

/**
 * Watches a program with piped outputs until it ends, runs out of time, or the signal is aborted. Then ends its whole
 * tree. Rejects with the signal's reason.
 */
export async function watchProgram(program: Program, options: WatchOptions): Promise<WatchedEnd> {
  const { timeoutMs, graceMs, signal, onOutput } = options
  const read = readOutput(program, onOutput)
  const endings: Promise<unknown>[] = []
  let timedOut = false
  const end = (): void => {
    if (endings.length === 0) endings.push(program.end(graceMs, 'SIGTERM'))
  }
  const timeout = setTimeout(() => {
    timedOut = true
    end()
  }, timeoutMs)
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted) end()
  try {
    const ended = await program.ended
    await Promise.all(endings)
    await read.lastOutput()
    signal?.throwIfAborted()
    return { ...ended, timedOut, left: program.processes().map(({ pid }) => pid) }
  } finally {
    clearTimeout(timeout)
    signal?.removeEventListener('abort', end)
    read.stop()
  }
}

function readOutput({ child }: Program, onOutput: (chunk: Buffer) => void) {
  const streams = [child?.stdout, child?.stderr].filter((stream) => stream instanceof Socket)
  let isOn = true
  const ends = streams.map((stream) => {
    stream.on('data', (chunk: Buffer) => {
      // Processes left behind may continue to write: their output is read and dropped, so that they don't block.
      if (isOn) onOutput(chunk)
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
      // They must not keep this process alive.
      for (const stream of streams) stream.unref()
    },
  }
}
