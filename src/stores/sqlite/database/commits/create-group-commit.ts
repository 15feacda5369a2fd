import { assertWholeNumber } from '../../../../core/checks/invalid-option-error.ts'
import { StoreBusyError, StoreClosedError } from '../../../records/store-errors.ts'
import { commitBatch } from './commit-batch.ts'
import type { GroupCommit, GroupCommitOptions, QueuedOperation } from './group-commit.ts'

// How long others get the lock after a commit: a waiting process tries for it at least once. The sync to disk is part
// of it, since the lock is free meanwhile.
const SHORTEST_YIELD_MS = 1
const LONGEST_YIELD_MS = 2
// Turns of the event loop. In an idle process a turn takes microseconds; in a busy one, each brings more operations.
const GATHERING_TURNS = 4
// How long other processes count as active after they were last noticed.
const CONTENTION_MS = 1000

/** Everything that is queued when the lock is free goes into one transaction, up to `maxBatch`, in order. */
export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { clock, random, maxBatch = 64, maxQueue = 10_000, deadlineMs = 10_000 } = options
  const { schedule = gather, othersActive = () => false } = options
  assertWholeNumber('maxBatch', maxBatch, 1, 10_000)
  assertWholeNumber('maxQueue', maxQueue, 1, 1_000_000)
  const queue: QueuedOperation[] = []
  const waitingForEnd: (() => void)[] = []
  let isFlushing = false
  let isClosed = false
  let contendedUntilMs = Number.NEGATIVE_INFINITY

  async function flush(): Promise<void> {
    while (queue.length > 0) {
      const { wasBusy, freeSinceMs } = await commitBatch(options, queue, maxBatch)
      if (wasBusy) contendedUntilMs = clock.monotonicMs() + CONTENTION_MS
      await pause(freeSinceMs)
    }
    isFlushing = false
    for (const resolve of waitingForEnd.splice(0)) resolve()
  }

  /**
   * Waits for more operations to join: a transaction costs as much as ten operations in it. Callers that work at the
   * same time come in the same turn, so an operation that is alone after one turn need not wait.
   */
  function gather(callback: () => void, turns = GATHERING_TURNS): void {
    setImmediate(() => {
      if (turns === 1 || queue.length <= 1 || queue.length >= maxBatch) callback()
      else gather(callback, turns - 1)
    })
  }

  function pause(freeSinceMs: number): Promise<void> {
    const nowMs = clock.monotonicMs()
    const isContended = nowMs < contendedUntilMs || othersActive()
    const yieldMs = SHORTEST_YIELD_MS + random() * (LONGEST_YIELD_MS - SHORTEST_YIELD_MS)
    const leftMs = isContended ? freeSinceMs + yieldMs - nowMs : 0
    return new Promise((resolve) => {
      if (leftMs <= 0) schedule(resolve)
      else clock.after(leftMs, resolve)
    })
  }

  function start(): void {
    if (isFlushing) return
    isFlushing = true
    schedule(flush)
  }

  return {
    run<T>(operation: () => T, { reads = false } = {}) {
      if (isClosed) return Promise.reject(new StoreClosedError())
      if (queue.length >= maxQueue) {
        return Promise.reject(new StoreBusyError(`${maxQueue} operations are already waiting for the store.`))
      }
      return new Promise<T>((resolve, reject) => {
        const deadline = clock.monotonicMs() + deadlineMs
        queue.push({ operation, reads, deadlineMs: deadline, resolve: resolve as (value: unknown) => void, reject })
        start()
      })
    },
    close() {
      isClosed = true
      if (!isFlushing) return Promise.resolve()
      return new Promise((resolve) => waitingForEnd.push(resolve))
    },
  }
}
