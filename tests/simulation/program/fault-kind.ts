/** What can go wrong. Every one of them must really happen over a run of many seeds. */
export const FAULT_KINDS = [
  'crash',
  'pause',
  'death',
  'store outage',
  'lost store answer',
  'disk full',
  'slow store',
  'clock jump',
  'lost response',
  'truncated response',
  'malformed response',
  'oversized response',
] as const

export type FaultKind = (typeof FAULT_KINDS)[number]
