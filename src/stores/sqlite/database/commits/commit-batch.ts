import { messageOf } from '../../../../core/checks/thrown.ts'
import type { Clock } from '../../../../core/ports/clock-and-ids.ts'
import { isStintError } from '../../../../core/stint-error.ts'
import { StoreBusyError, StoreUnavailableError } from '../../../records/store-errors.ts'
import { backOffMs } from './back-off.ts'
import type { GroupCommitOptions, QueuedOperation } from './group-commit.ts'

type Batch = readonly QueuedOperation[]

export interface CommittedBatch {
  readonly wasBusy: boolean
  /** Since when others may have the lock. */
  readonly freeSinceMs: number
}

/** Takes up to `maxBatch` operations off the front of the queue and completes each of them, successfully or not. */
export async function commitBatch(
  options: GroupCommitOptions,
  queue: QueuedOperation[],
  maxBatch: number,
): Promise<CommittedBatch> {
  let freeSinceMs = options.clock.monotonicMs()
  for (let attempts = 0; ; attempts++) {
    if (queue.length > 0 && queue[0]!.deadlineMs <= options.clock.monotonicMs()) rejectOverdue(queue, options.clock)
    const batch = queue.slice(0, maxBatch)
    if (batch.length === 0) return { wasBusy: attempts > 0, freeSinceMs }
    let writes = false
    for (const { reads } of batch) if (!reads) writes = true
    const outcome = runBatch(options, batch, writes)
    if (outcome.kind === 'busy') {
      await sleep(options.clock, backOffMs(attempts, options.random))
      continue
    }
    queue.splice(0, batch.length)
    if (outcome.kind === 'threw') await runAround(options, queue, batch, outcome)
    else if (outcome.kind === 'failed') rejectAll(batch, unavailable(options, outcome.error))
    else {
      const isAlone = batch.length === 1 && queue.length === 0
      freeSinceMs = await commit(options, batch, outcome.values, { writes, isAlone })
    }
    return { wasBusy: attempts > 0, freeSinceMs }
  }
}

type BatchOutcome =
  /** The transaction is open. */
  | { readonly kind: 'ran'; readonly values: readonly unknown[] }
  | { readonly kind: 'busy' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'threw'; readonly index: number; readonly error: unknown }

/** Everything between BEGIN and COMMIT, without interruption. Unless it ran, nothing is left of it. */
function runBatch(options: GroupCommitOptions, batch: Batch, writes: boolean): BatchOutcome {
  try {
    if (writes || options.beginRead === undefined) options.begin()
    else options.beginRead()
  } catch (error) {
    return options.isBusy(error) ? { kind: 'busy' } : { kind: 'failed', error }
  }
  const values: unknown[] = []
  try {
    for (const { operation } of batch) {
      const value = operation()
      if (value instanceof Promise) throw new TypeError('An operation of a transaction must be synchronous.')
      values.push(value)
    }
    return { kind: 'ran', values }
  } catch (error) {
    rollBack(options)
    return options.isBusy(error) ? { kind: 'busy' } : { kind: 'threw', index: values.length, error }
  }
}

// In its own transaction the operation might not throw. Those before it didn't, and those after it haven't been tried.
async function runAround(
  options: GroupCommitOptions,
  queue: QueuedOperation[],
  batch: Batch,
  { index, error }: { readonly index: number; readonly error: unknown },
): Promise<void> {
  if (batch.length === 1) {
    rejectAll(batch, options.toError?.(error) ?? error)
    return
  }
  queue.unshift(...batch.slice(index + 1))
  await runAll(options, batch.slice(0, index))
  await runAll(options, batch.slice(index, index + 1))
}

// Terminates: each pass completes at least one operation.
async function runAll(options: GroupCommitOptions, operations: QueuedOperation[]): Promise<void> {
  while (operations.length > 0) await commitBatch(options, operations, operations.length)
}

// With a rollback journal, a commit may have to wait for readers. The transaction stays open meanwhile. Returns when it
// ended.
async function commit(
  options: GroupCommitOptions,
  batch: Batch,
  values: readonly unknown[],
  { writes, isAlone }: { readonly writes: boolean; readonly isAlone: boolean },
): Promise<number> {
  for (let attempts = 0; ; attempts++) {
    try {
      options.commit()
      break
    } catch (error) {
      if (options.isBusy(error) && options.clock.monotonicMs() < latestDeadlineOf(batch)) {
        await sleep(options.clock, backOffMs(attempts, options.random))
        continue
      }
      rollBack(options)
      rejectAll(batch, options.isBusy(error) ? overdue(error) : unavailable(options, error))
      return options.clock.monotonicMs()
    }
  }
  const endedMs = options.clock.monotonicMs()
  try {
    if (writes) await options.makeDurable?.(isAlone)
  } catch (error) {
    rejectAll(batch, unavailable(options, error))
    return endedMs
  }
  for (const [index, queued] of batch.entries()) queued.resolve(values[index])
  return endedMs
}

function latestDeadlineOf(batch: Batch): number {
  return Math.max(...batch.map((queued) => queued.deadlineMs))
}

function rollBack(options: GroupCommitOptions): void {
  try {
    options.rollback()
  } catch {
    // SQLite rolls back by itself after some failures; then there is nothing left to roll back.
  }
  options.onRollback?.()
}

function rejectOverdue(queue: QueuedOperation[], clock: Clock): void {
  const nowMs = clock.monotonicMs()
  // Ordered by deadline, because all have the same timeout.
  const index = queue.findIndex((queued) => queued.deadlineMs > nowMs)
  const late = queue.splice(0, index === -1 ? queue.length : index)
  if (late.length > 0) rejectAll(late, overdue())
}

function rejectAll(batch: Batch, error: unknown): void {
  for (const queued of batch) queued.reject(error)
}

function overdue(cause?: unknown): StoreBusyError {
  return new StoreBusyError('Other processes kept the store locked for longer than the deadline.', cause)
}

function unavailable(options: GroupCommitOptions, error: unknown): unknown {
  const meaning = options.toError?.(error)
  if (isStintError(meaning)) return meaning
  return new StoreUnavailableError(`The transaction failed (${messageOf(error)}).`, error)
}

function sleep(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve)
  })
}
