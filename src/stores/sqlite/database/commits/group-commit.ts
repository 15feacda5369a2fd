import type { Clock, Random } from '../../../../core/ports/clock-and-ids.ts'

export interface GroupCommitOptions {
  /** Opens a write transaction, or throws at once if another process has the lock. */
  begin(): void
  /** Opens a transaction for batches that only read. Default: `begin`. */
  beginRead?(): void
  commit(): void
  /**
   * Makes the writes of a batch durable if `commit` alone doesn't. A failure fails the whole batch. `isAlone`: it was
   * one operation, and no other is waiting.
   */
  makeDurable?(isAlone: boolean): Promise<void>
  /** May throw if there is nothing to roll back. */
  rollback(): void
  isBusy(error: unknown): boolean
  readonly clock: Clock
  readonly random: Random
  /** How many operations share one transaction. Default 64. */
  readonly maxBatch?: number
  /** How many operations may wait; more are refused with `store_busy`. Default 10,000. */
  readonly maxQueue?: number
  /** How long an operation may wait for the lock, counted from `run`. Default 10,000. */
  readonly deadlineMs?: number
  /** Calls back soon, after what is ready now. Default: after a few turns of the event loop. */
  schedule?(callback: () => void): void
  /** Whether other processes write too: then they get a turn after each commit. */
  othersActive?(): boolean
  /** Everything that operations have read or cached since the last commit is invalid. */
  onRollback?(): void
  /** Translates a failure. Default: the error itself, and `store_unavailable` for a failed commit. */
  toError?(error: unknown): unknown
}

/** Lets concurrent operations share a transaction and the cost of making it durable. */
export interface GroupCommit {
  /**
   * Resolves only when the effects of the operation are durable. An operation is synchronous, only reads and writes the
   * database, and may be called again after a rollback has undone it. If it throws, only it fails.
   */
  run<T>(operation: () => T, options?: { readonly reads?: boolean }): Promise<T>
  /** Accepts nothing more, and resolves when all accepted operations are done. Idempotent. */
  close(): Promise<void>
}

/** An operation waiting for its transaction. */
export interface QueuedOperation {
  readonly operation: () => unknown
  readonly reads: boolean
  readonly deadlineMs: number
  resolve(value: unknown): void
  reject(error: unknown): void
}
