import { messageOf } from '../../../../core/checks/thrown.ts'
import type { Database, SqlRow } from '../drivers/database.ts'
import { isCorruptError } from '../drivers/sqlite-codes.ts'

const MOST_PROBLEMS = 100

/** Reads the whole file and lists structural problems, at most 100 lines; an empty list means it is sound. Slow. */
export function checkIntegrity(database: Database): readonly string[] {
  try {
    const structure = database.prepare(`PRAGMA integrity_check(${MOST_PROBLEMS})`).all()
    const references = database.prepare('PRAGMA foreign_key_check').all()
    return [...structure.flatMap(structureProblem), ...references.map(referenceProblem)].slice(0, MOST_PROBLEMS)
  } catch (error) {
    if (!isCorruptError(error)) throw error
    return [messageOf(error)]
  }
}

function structureProblem(row: SqlRow): readonly string[] {
  const text = String(row.integrity_check)
  return text === 'ok' ? [] : [text]
}

function referenceProblem(row: SqlRow): string {
  return `row ${row.rowid} of ${row.table} refers to a row of ${row.parent} that does not exist`
}
