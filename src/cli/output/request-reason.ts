import type { IncreaseRecord, Limit } from '../../core/index.ts'

/** Why a scope asks, in its own words; `–` where it only has those of the refusal, which its other fields say too. */
export function requestReason({ reason }: IncreaseRecord, { source }: Pick<Limit, 'source'>): string {
  return reason.startsWith(`The ${source.written} limit of "`) ? '–' : reason
}
