import type { Scope } from '../../governor/index.ts'
import type { RunLog } from './run-log.ts'

/**
 * Warns of each limit that does not apply as written. Called when a run starts, for limits cut by a ceiling, and again
 * when it ends, for what was found in the meantime: of a longer note, only the new part is reported.
 */
export function warnOfLimitNotes(scope: Scope, log: RunLog): void {
  for (const { note } of scope.explain()) {
    const news = log.warnings.reduce((rest, reported) => rest.replace(reported, ''), note ?? '').trim()
    if (news !== '') log.warn(news)
  }
}
