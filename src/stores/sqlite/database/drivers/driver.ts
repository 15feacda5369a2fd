import type { SqlRow } from './database.ts'

/** A parameter as SQLite gets it: whole numbers as BigInts, so that they are INTEGER in every expression. */
export type BoundValue = bigint | string | null | Uint8Array

export interface DriverStatement {
  run(parameters: readonly BoundValue[]): { readonly changes: number }
  get(parameters: readonly BoundValue[]): SqlRow | undefined
  all(parameters: readonly BoundValue[]): readonly SqlRow[]
  /** One row after the other; all of them at once where the library can't. */
  iterate(parameters: readonly BoundValue[]): Iterable<SqlRow>
}

export interface Connection {
  exec(sql: string): void
  prepare(sql: string): DriverStatement
  close(): void
}

/** A SQLite library. Its errors carry SQLite's result code, which `sqliteCodeOf` finds. */
export interface Driver {
  readonly name: 'node:sqlite' | 'libsql'
  /** Opens a `file:` address with its `mode`. */
  connect(address: string): Connection
}
