import type { Scope } from '../../governor/index.ts'
import type { RunDesk } from './run-desk.ts'

/**
 * Warns of each limit that does not hold as it was written. Called when a run starts, for what a ceiling has cut, and
 * again when it ends, for what was found out meanwhile: a note that grew is told without the part that was told before.
 */
export function tellNotes(scope: Scope, desk: RunDesk): void {
  for (const { note } of scope.explain()) {
    const news = desk.warnings.reduce((rest, told) => rest.replace(told, ''), note ?? '').trim()
    if (news !== '') desk.warn(news)
  }
}
