/** Every table of a ledger. */
export const LEDGER_TABLES = [
  'ledger',
  'roots',
  'scopes',
  'counters',
  'holds',
  'calls',
  'events',
  'denials',
  'sums',
  'holders',
  'requests',
  'keys',
  'documents',
  'kept',
  'journal',
] as const
