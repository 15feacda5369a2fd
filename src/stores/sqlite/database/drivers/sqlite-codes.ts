// Result codes about the file, the disk or other processes, not about the statement.
const CODES = {
  permission: 3,
  busy: 5,
  locked: 6,
  noMemory: 7,
  readOnly: 8,
  interrupted: 9,
  inputOutput: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  protocol: 15,
  notADatabase: 26,
} as const

const KNOWN = new Set<number>(Object.values(CODES))

/** SQLite's primary result code of an error from a driver; `null` for any other error. */
function sqliteCodeOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null) return null
  const { errcode, rawCode, message } = error as { errcode?: unknown; rawCode?: unknown; message?: unknown }
  const code = errcode ?? rawCode ?? codeInText(message)
  // The upper bits hold details that we don't need.
  return typeof code === 'number' ? code & 0xff : null
}

// libsql reports the code of a failed open only in its message.
function codeInText(message: unknown): number | null {
  const found = typeof message === 'string' ? /^ConnectionFailed\(.*: (\d+)"\)$/s.exec(message) : null
  return found === null ? null : Number(found[1])
}

/** Another process has the lock: try again. */
export function isBusyError(error: unknown): boolean {
  const code = sqliteCodeOf(error)
  return code === CODES.busy || code === CODES.locked
}

/** The disk is full. */
export function isFullError(error: unknown): boolean {
  return sqliteCodeOf(error) === CODES.full
}

/** The file doesn't even start like a database. */
export function isNotADatabaseError(error: unknown): boolean {
  return sqliteCodeOf(error) === CODES.notADatabase
}

/** The file isn't a sound database. */
export function isCorruptError(error: unknown): boolean {
  const code = sqliteCodeOf(error)
  return code === CODES.corrupt || code === CODES.notADatabase
}

/** The file, its folder or the connection is read-only. */
export function isReadOnlyError(error: unknown): boolean {
  return sqliteCodeOf(error) === CODES.readOnly
}

/** The environment failed, not the statement: a wrong statement stays wrong. */
export function isStorageError(error: unknown): boolean {
  return KNOWN.has(sqliteCodeOf(error) ?? -1)
}
