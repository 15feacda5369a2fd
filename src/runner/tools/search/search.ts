import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { ToolFailure } from '../tool-failure.ts'
import type { SearchAnswer, SearchRequest } from './search-request.ts'

// Some patterns never end, or use unlimited memory.
const LONGEST_SEARCH_MS = 30_000
const MOST_MEMORY_MB = 512

/** Searches in a separate thread, which is terminated by the signal, a timeout, or its memory limit. */
export async function search(request: SearchRequest, signal?: AbortSignal, longestMs = LONGEST_SEARCH_MS) {
  signal?.throwIfAborted()
  const worker = new Worker(workerFile(), {
    workerData: request,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  })
  try {
    return await answerOf(worker, signal, longestMs)
  } finally {
    void worker.terminate()
  }
}

function answerOf(worker: Worker, signal: AbortSignal | undefined, longestMs: number): Promise<SearchAnswer> {
  return new Promise((resolve, reject) => {
    const fail = (message: string, cause?: unknown): void => reject(new ToolFailure(message, cause))
    const tooLong = (): void =>
      fail(`The search took longer than ${longestMs / 1000} s and was ended. Narrow the path, or simplify the pattern.`)
    const timeout = setTimeout(tooLong, longestMs)
    const onAbort = (): void => reject(signal?.reason)
    const forget = (): void => {
      clearTimeout(timeout)
      signal?.removeEventListener('abort', onAbort)
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    worker.once('message', (answer: SearchAnswer) => {
      forget()
      resolve(answer)
    })
    worker.once('error', (error: NodeJS.ErrnoException) => {
      forget()
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      fail(isMemory ? 'The search took too much memory. Narrow the path.' : 'The search failed.', error)
    })
    worker.once('exit', () => {
      forget()
      fail('The search ended without an answer.')
    })
  })
}

/** In the sources, the file next to this one. When bundled, it is found by the package's own folder. */
function workerFile(): string {
  const here = fileURLToPath(import.meta.url)
  if (here.endsWith('.ts')) return join(dirname(here), 'search-worker.ts')
  const manifest = createRequire(import.meta.url).resolve('stint/package.json')
  return join(dirname(manifest), 'dist', 'runner', 'tools', 'search-worker.js')
}
