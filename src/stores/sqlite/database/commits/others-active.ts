import type { Clock } from '../../../../core/ports/clock-and-ids.ts'
import type { Database } from '../drivers/database.ts'

const MEMORY_MS = 1000

/**
 * Returns a check for whether another connection has committed within the last second. Cheap enough to run after every
 * commit.
 */
export function createOthersActive(database: Database, clock: Clock): () => boolean {
  const dataVersion = database.prepare('PRAGMA data_version')
  let known = readVersion()
  let seenAtMs = Number.NEGATIVE_INFINITY

  // Busy means that others are active, too.
  function readVersion(): unknown {
    try {
      return dataVersion.get()?.data_version
    } catch {
      return null
    }
  }

  return () => {
    const version = readVersion()
    if (version !== known) seenAtMs = clock.monotonicMs()
    known = version
    return clock.monotonicMs() - seenAtMs < MEMORY_MS
  }
}
