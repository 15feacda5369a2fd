import type { Clock, Random } from '../../../core/ports.ts'

export interface GroupCommitOptions {
  /** Opens a transaction that may write, or throws at once if another process has the lock. */
  begin(): void
  /** Opens one for batches in which everything only reads. Default: `begin`. */
  beginRead?(): void
  commit(): void
  /** Makes durable what a batch has written, where `commit` alone does not. A failure is that of the whole batch. */
  makeDurable?(): Promise<void>
  /** May throw if there is nothing to roll back. */
  rollback(): void
  isBusy(error: unknown): boolean
  readonly clock: Clock
  readonly random: Random
  /** How many operations share one transaction. Default 64. */
  readonly maxBatch?: number
  /** How many operations may wait; what comes on top is refused with `store_busy`. Default 10,000. */
  readonly maxQueue?: number
  /** How long an operation may wait for the lock, from `run` on. Default 10,000. */
  readonly deadlineMs?: number
  /** Calls back soon, after what is ready now. Default: after a few turns of the event loop. */
  schedule?(callback: () => void): void
  /** Whether other processes write too: then they are let in after each commit. */
  othersActive?(): boolean
  /** What operations have seen or cached of the database since the last commit is void. */
  onRollback?(): void
  /** Says what a failure means. Default: the error itself, and `store_unavailable` for a failed commit. */
  toError?(error: unknown): unknown
}

/** Lets concurrent operations share a transaction, and so the price of making it durable. */
export interface GroupCommit {
  /**
   * Resolves only when what the operation did is durable. It is synchronous, does nothing but read and write the
   * database, and may be called again after a rollback: what it did before is undone then. If it throws, only it fails.
   */
  run<T>(operation: () => T, options?: { readonly reads?: boolean }): Promise<T>
  /** Takes nothing more, and resolves when all that was taken is done. Idempotent. */
  close(): Promise<void>
}

/** An operation that waits for its transaction. */
export interface QueuedOperation {
  readonly operation: () => unknown
  readonly reads: boolean
  readonly deadlineMs: number
  resolve(value: unknown): void
  reject(error: unknown): void
}
