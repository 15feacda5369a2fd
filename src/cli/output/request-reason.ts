import type { IncreaseRecord, Limit } from '../../core/index.ts'

/** Why a scope asks, in its own words; `–` if it only repeats the refusal, which the other fields show. */
export function requestReason({ reason }: IncreaseRecord, { source }: Pick<Limit, 'source'>): string {
  return reason.startsWith(`The ${source.written} limit of "`) ? '–' : reason
}
