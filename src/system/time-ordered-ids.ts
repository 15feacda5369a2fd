import { randomUUID } from 'node:crypto'
import type { Clock, CreateId } from '../core/ports/ports.ts'

const TIME_DIGITS = 12
const LAST_TIME = 2 ** 48 - 1

/**
 * UUIDs of version 7: ids that are made one after the other stand one after the other. A store keeps the records of
 * calls by id, so that those of one moment share a page instead of each touching its own.
 */
export function timeOrderedIds(clock: Pick<Clock, 'wallMs'>): CreateId {
  // Many are made within one millisecond.
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
    // The random half of version 4 stands where that of version 7 does.
    return prefix + randomUUID().slice(15)
  }
}
