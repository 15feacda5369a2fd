import type { CallFacts } from '../../core/index.ts'

/** ` (attempt 2)`; empty for the first. */
export function attemptText(about: CallFacts | null): string {
  const attempt = about?.attempt ?? 1
  return attempt === 1 ? '' : ` (attempt ${attempt})`
}
