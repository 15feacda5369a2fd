/** The value of a column. Numbers are whole, with a magnitude of at most 2^53 - 1. */
export type SqlValue = number | string | null | Uint8Array

export type SqlRow = Readonly<Record<string, SqlValue>>
