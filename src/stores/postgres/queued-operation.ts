import type { Ledger } from '../operations/index.ts'
import type { Needs } from '../operations/needs.ts'
import type { AnyRequest } from './address-of.ts'

/** An operation that waits for its transaction. */
export interface QueuedOperation {
  readonly request: AnyRequest
  readonly needs: Needs
  /** May be called several times; only the last call counts. */
  run(ledger: Ledger, request: AnyRequest): unknown
  readonly deadlineMs: number
  resolve(value: unknown): void
  reject(error: unknown): void
}
