import { resolve } from 'node:path'
import {
  assertKnownOptions,
  assertWholeNumber,
  type Clock,
  InvalidOptionError,
  optionNames,
  type StintEvent,
} from '../../core/index.ts'
import { createSystemClock } from '../../system/index.ts'
import { eventLine } from './event-line.ts'
import { createLineQueue } from './line-queue.ts'
import { type OpenLogFile, openLogFile } from './log-file.ts'
import { createProblemReporter, type SinkProblem } from './problem-reporter.ts'
import { writeBatch } from './write-batch.ts'

export interface JsonlSinkOptions {
  /** The log. Its folder is created if needed. */
  readonly file: string
  /** The size at which the file is rotated. Default 10 MiB. */
  readonly maxBytes?: number
  /** How many rotated files are kept: `file.1` is the newest. Default 5. */
  readonly keep?: number
  /** How many bytes are queued while the file cannot be written; further events are lost and counted. Default 8 MiB. */
  readonly maxQueuedBytes?: number
  /** Called at most once a minute if lines cannot be written. Default: a process warning. */
  readonly onProblem?: (problem: SinkProblem) => void
  readonly clock?: Clock
  readonly open?: OpenLogFile
}

/** A log of events in a file, one line of JSON each. */
export interface JsonlSink {
  /** For `governor.on`. Returns immediately and never throws. */
  readonly listener: (event: StintEvent) => void
  /** Waits until all events are written, at most `timeoutMs` (default 5 s). `false`: some are not. */
  flush(timeoutMs?: number): Promise<boolean>
  /** Flushes, then ignores further events. Events that could not be written are lost and counted. Idempotent. */
  close(timeoutMs?: number): Promise<void>
  stats(): JsonlSinkStats
}

export interface JsonlSinkStats {
  readonly written: number
  readonly queued: number
  readonly lost: number
}

const OPTIONS = optionNames<JsonlSinkOptions>({
  file: true,
  maxBytes: true,
  keep: true,
  maxQueuedBytes: true,
  onProblem: true,
  clock: true,
  open: true,
})

const MEBIBYTE = 1024 * 1024
const FIRST_RETRY_MS = 1000
const LONGEST_RETRY_MS = 60_000
const FLUSH_TIMEOUT_MS = 5000

/** Writes events to a file in batches: those that arrive during a write form the next batch. */
export function createJsonlSink(options: JsonlSinkOptions): JsonlSink {
  assertKnownOptions('createJsonlSink', options, OPTIONS)
  const { maxBytes = 10 * MEBIBYTE, keep = 5, maxQueuedBytes = 8 * MEBIBYTE } = options
  const { clock = createSystemClock(), open = openLogFile } = options
  assertWholeNumber('maxBytes', maxBytes, 1, Number.MAX_SAFE_INTEGER)
  assertWholeNumber('keep', keep, 1, 1000)
  assertWholeNumber('maxQueuedBytes', maxQueuedBytes, 1, Number.MAX_SAFE_INTEGER)
  const file = parseFile(options.file)
  const queue = createLineQueue(maxQueuedBytes)
  const report = createProblemReporter({ file, clock, onProblem: options.onProblem })
  const waiting = new Set<() => void>()
  let written = 0
  let lost = 0
  let retryMs = FIRST_RETRY_MS
  let cancelRetry: (() => void) | null = null
  let isWriting = false
  let isClosed = false

  async function writeAll(): Promise<void> {
    isWriting = true
    let hasFailed = false
    while (queue.size > 0 && !hasFailed) {
      const { lines, error } = await writeBatch({ file, maxBytes, keep, open }, queue)
      queue.remove(lines)
      written += lines
      hasFailed = error !== undefined
      if (hasFailed) report(error, { queued: queue.size, lost })
      else retryMs = FIRST_RETRY_MS
    }
    isWriting = false
    if (hasFailed && !isClosed) writeLater()
    for (const look of waiting) look()
  }

  function writeLater(): void {
    cancelRetry?.()
    cancelRetry = clock.after(retryMs, writeNow, { unref: true })
    retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS)
  }

  function writeNow(): void {
    cancelRetry?.()
    cancelRetry = null
    if (!isWriting) void writeAll()
  }

  function flush(timeoutMs = FLUSH_TIMEOUT_MS): Promise<boolean> {
    if (queue.size === 0) return Promise.resolve(true)
    return new Promise((settle) => {
      const end = () => {
        cancel()
        waiting.delete(end)
        settle(queue.size === 0)
      }
      const cancel = clock.after(timeoutMs, end)
      waiting.add(end)
      writeNow()
    })
  }

  return {
    listener(event) {
      if (isClosed) return
      try {
        if (!queue.push(eventLine(event))) lost++
      } catch {
        lost++
      }
      if (!isWriting && cancelRetry === null) queueMicrotask(writeNow)
    },
    flush,
    async close(timeoutMs) {
      if (isClosed) return
      await flush(timeoutMs)
      isClosed = true
      cancelRetry?.()
      cancelRetry = null
      lost += queue.size
      queue.remove(queue.size)
    },
    stats: () => ({ written, queued: queue.size, lost }),
  }
}

// Made absolute immediately: a later `process.chdir` must not move the log.
function parseFile(file: unknown): string {
  if (typeof file === 'string' && file !== '' && !file.includes('\0')) return resolve(file)
  throw new InvalidOptionError('file', file, 'the path of a file, e.g. "logs/execution-limits.log"')
}
