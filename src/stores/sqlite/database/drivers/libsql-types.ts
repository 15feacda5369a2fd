import type { SqlValue } from './database.ts'
import type { BoundValue } from './driver.ts'

/** The part of the package that we use. */
export interface LibsqlDatabase {
  readonly inTransaction: boolean
  exec(sql: string): void
  prepare(sql: string): LibsqlStatement
  close(): void
}

export interface LibsqlStatement {
  /** Whether it returns rows. */
  readonly reader: boolean
  run(parameters: readonly BoundValue[]): { readonly changes: number }
  get(parameters: readonly BoundValue[]): LibsqlRow | undefined
  all(parameters: readonly BoundValue[]): LibsqlRow[]
}

/** With an extra column, `_metadata`, and blobs as buffers. */
export type LibsqlRow = Record<string, SqlValue | ArrayBuffer>
