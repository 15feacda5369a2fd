import type { RowWrite } from '../../src/stores/records/rows/row-change.ts'
import type { SqlRow, SqlValue } from '../../src/stores/records/rows/sql-row.ts'

/** Loaded rows of one table, in the order in which they came. Few enough to be looked through. */
export interface LoadedTable {
  /** Adds a row, unless one with its key is here. */
  add(row: SqlRow): void
  find(where: SqlRow): SqlRow | undefined
  all(where: SqlRow): readonly SqlRow[]
  write(write: RowWrite, values: readonly SqlValue[]): void
}

const KEYS: Readonly<Record<string, readonly string[]>> = {
  scopes: ['id'],
  counters: ['scope', 'series', 'start_ms'],
  holds: ['scope', 'limit_key', 'holder'],
  calls: ['sequence'],
  requests: ['id'],
  keys: ['id'],
  holders: ['holder'],
  documents: ['scope'],
  kept: ['name'],
  journal: ['root', 'place'],
}

export function createLoadedTable(name: string): LoadedTable {
  const key = KEYS[name]!
  const rows = new Map<string, SqlRow>()
  const keyOf = (row: SqlRow): string => JSON.stringify(key.map((column) => row[column]))
  const isMeant = (row: SqlRow, where: SqlRow): boolean => {
    for (const column in where) if (row[column] !== where[column]) return false
    return true
  }

  return {
    add(row) {
      if (!rows.has(keyOf(row))) rows.set(keyOf(row), row)
    },
    find(where) {
      const isKey = key.length === 1 && where[key[0]!] !== undefined && Object.keys(where).length === 1
      if (isKey) return rows.get(keyOf(where))
      for (const row of rows.values()) if (isMeant(row, where)) return row
      return undefined
    },
    all: (where) => [...rows.values()].filter((row) => isMeant(row, where)),
    write(write, values) {
      const row = Object.fromEntries(write.columns.map((column, place) => [column, values[place]!]))
      const present = rows.get(keyOf(row))
      if (write.action === 'delete') rows.delete(keyOf(row))
      else if (write.action === 'insert') rows.set(keyOf(row), completed(name, row))
      else if (present !== undefined) rows.set(keyOf(row), { ...present, ...updatesOf(write, present, row) })
      else if (write.action === 'put') rows.set(keyOf(row), row)
    },
  }
}

/** What is NULL because it repeats another column reads as that. */
function completed(table: string, row: SqlRow): SqlRow {
  return table === 'calls' ? { ...row, fixed: row.fixed ?? row.reserved! } : row
}

function updatesOf(write: RowWrite, present: SqlRow, row: SqlRow): SqlRow {
  const { columns, key, updates = columns.filter((column) => !key.includes(column)) } = write
  return Object.fromEntries(
    updates.map((column) => {
      const [before, after] = [present[column]!, row[column]!]
      if (write.highest?.includes(column)) return [column, Math.max(Number(before), Number(after))]
      return [column, write.sums?.includes(column) ? Number(before) + Number(after) : after]
    }),
  )
}
