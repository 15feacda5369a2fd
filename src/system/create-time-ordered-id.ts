import { randomUUID } from 'node:crypto'

const TIME_DIGITS = 12
const LAST_TIME = 2 ** 48 - 1

// Many are made within one millisecond.
let latest = { ms: 0, prefix: prefixAt(0) }

/**
 * A UUID of version 7: ids that are made one after the other stand one after the other. A store keeps the records of
 * calls by id, so that those of one moment share a page instead of each touching its own.
 */
export function createTimeOrderedId(nowMs: number): string {
  if (nowMs !== latest.ms) latest = { ms: nowMs, prefix: prefixAt(nowMs) }
  // The random half of version 4 stands where that of version 7 does.
  return latest.prefix + randomUUID().slice(15)
}

function prefixAt(nowMs: number): string {
  const time = Math.min(Math.max(0, Math.floor(nowMs)), LAST_TIME)
    .toString(16)
    .padStart(TIME_DIGITS, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7`
}
