import type { Database, SqlRow } from './database.ts'
import { isCorruptError } from './sqlite-codes.ts'

const MOST_PROBLEMS = 100

/** Reads the whole file and lists what is wrong with its structure, at most 100 lines; none: it is sound. Slow. */
export function checkIntegrity(database: Database): readonly string[] {
  try {
    const structure = database.prepare(`PRAGMA integrity_check(${MOST_PROBLEMS})`).all()
    const references = database.prepare('PRAGMA foreign_key_check').all()
    return [...structure.flatMap(structureProblem), ...references.map(referenceProblem)].slice(0, MOST_PROBLEMS)
  } catch (error) {
    if (!isCorruptError(error)) throw error
    return [(error as Error).message]
  }
}

function structureProblem(row: SqlRow): readonly string[] {
  const text = String(row.integrity_check)
  return text === 'ok' ? [] : [text]
}

function referenceProblem(row: SqlRow): string {
  return `row ${row.rowid} of ${row.table} refers to a row of ${row.parent} that does not exist`
}
