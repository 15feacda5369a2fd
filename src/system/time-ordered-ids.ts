import { randomUUID } from 'node:crypto'
import type { Clock, CreateId } from '../core/ports/clock-and-ids.ts'

const TIME_DIGITS = 12
const LAST_TIME = 2 ** 48 - 1

/**
 * UUIDs of version 7: ids created one after the other sort next to each other. A store keeps the records of calls by
 * id, so records from the same time share a page instead of each touching its own.
 */
export function timeOrderedIds(clock: Pick<Clock, 'wallMs'>): CreateId {
  // Many ids are created within one millisecond.
  let latestMs = Number.NaN
  let prefix = ''
  return () => {
    const nowMs = clock.wallMs()
    if (nowMs !== latestMs) {
      latestMs = nowMs
      const wholeMs = Math.min(Math.max(0, Math.floor(nowMs)), LAST_TIME)
      const time = wholeMs.toString(16).padStart(TIME_DIGITS, '0')
      prefix = `${time.slice(0, 8)}-${time.slice(8)}-7`
    }
    // The random half is in the same place in versions 4 and 7.
    return prefix + randomUUID().slice(15)
  }
}
