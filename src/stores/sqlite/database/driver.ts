import type { SqlRow } from './database.ts'

/** A parameter as SQLite gets it: a whole number as a BigInt, so that it is an INTEGER in every expression. */
export type BoundValue = bigint | string | null | Uint8Array

export interface DriverStatement {
  run(parameters: readonly BoundValue[]): { readonly changes: number }
  get(parameters: readonly BoundValue[]): SqlRow | undefined
  all(parameters: readonly BoundValue[]): readonly SqlRow[]
}

export interface Connection {
  exec(sql: string): void
  prepare(sql: string): DriverStatement
  close(): void
}

/** One SQLite library. Its errors carry SQLite's result code: `sqliteCodeOf` finds it. */
export interface Driver {
  readonly name: 'node:sqlite' | 'libsql'
  /** Opens a `file:` address with its `mode`. */
  connect(address: string): Connection
}
