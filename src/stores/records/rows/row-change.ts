import type { SqlValue } from './sql-row.ts'

/** How a kind of change is written, whatever the database. Values come in the order of the columns. */
export interface RowWrite {
  readonly table: string
  /** `put` inserts a row or updates the one with the same key. */
  readonly action: 'insert' | 'put' | 'update' | 'delete'
  readonly columns: readonly string[]
  /** The columns that identify a row. For an `update`, they come last. */
  readonly key: readonly string[]
  /** What `put` updates in a row that exists. Default: every column that is not part of the key. */
  readonly updates?: readonly string[]
  /** Updated to the higher value, and to the sum. */
  readonly highest?: readonly string[]
  readonly sums?: readonly string[]
  /** The value is the id of a scope, and its ordinal is what is stored. */
  readonly ordinals?: readonly string[]
}

const SCOPE_STATE = [
  'owner',
  'is_orphaned',
  'status',
  'is_ended',
  'closed_at',
  'pause',
  'occupies_place',
  'revision',
  'limits',
  'ceilings',
  'series',
  'active_ms',
  'open_children',
  'change',
  'steered',
  'told',
  'watch',
] as const
const CALL_END = [
  'state',
  'charged',
  'crossings',
  'ending',
  'facts',
  'costs',
  'ended_at',
  'told',
  'corrected',
  'corrected_at',
  'assumed',
] as const

/** Everything that a transaction of a ledger writes. */
export const ROW_WRITES = {
  writeScope: {
    table: 'scopes',
    action: 'put',
    columns: ['id', 'root', 'parent', 'name', 'kind', 'labels', 'opened_at', 'about', ...SCOPE_STATE],
    key: ['id'],
    updates: SCOPE_STATE,
    highest: ['steered'],
  },
  touchScope: {
    table: 'scopes',
    action: 'update',
    columns: ['active_ms', 'open_children', 'change', 'told', 'watch', 'id'],
    key: ['id'],
  },
  steerScope: { table: 'scopes', action: 'update', columns: ['steered', 'id'], key: ['id'] },
  writeCounter: {
    table: 'counters',
    action: 'put',
    columns: ['scope', 'series', 'start_ms', 'end_ms', 'settled', 'reserved', 'announced'],
    key: ['scope', 'series', 'start_ms'],
    updates: ['settled', 'reserved', 'announced'],
  },
  dropCounter: {
    table: 'counters',
    action: 'delete',
    columns: ['scope', 'series', 'start_ms'],
    key: ['scope', 'series', 'start_ms'],
  },
  writeHold: {
    table: 'holds',
    action: 'put',
    columns: ['scope', 'limit_key', 'holder', 'amount'],
    key: ['scope', 'limit_key', 'holder'],
  },
  dropHold: {
    table: 'holds',
    action: 'delete',
    columns: ['scope', 'limit_key', 'holder'],
    key: ['scope', 'limit_key', 'holder'],
  },
  addCall: {
    table: 'calls',
    action: 'insert',
    columns: [
      'sequence',
      'id',
      'root',
      'scope',
      'holder',
      'at_ms',
      'fixed',
      'elastic',
      'units',
      'reserved',
      'about',
      ...CALL_END,
    ],
    key: ['sequence'],
    ordinals: ['root', 'scope'],
  },
  chargeCall: { table: 'calls', action: 'update', columns: [...CALL_END, 'sequence'], key: ['sequence'] },
  addEvent: {
    table: 'events',
    action: 'insert',
    columns: ['root', 'number', 'scope', 'at_ms', 'event', 'body'],
    key: ['root', 'number'],
    ordinals: ['root', 'scope'],
  },
  countDenials: {
    table: 'denials',
    action: 'put',
    columns: ['scope', 'meter', 'per', 'resets_at', 'count', 'last_at'],
    key: ['scope', 'meter', 'per', 'resets_at'],
    sums: ['count'],
    ordinals: ['scope'],
  },
  writeRequest: {
    table: 'requests',
    action: 'put',
    columns: ['id', 'scope', 'limit_key', 'status', 'opened_at', 'body'],
    key: ['id'],
    updates: ['status', 'body'],
  },
  writeHolder: {
    table: 'holders',
    action: 'put',
    columns: ['holder', 'beats', 'beat_at', 'died_at'],
    key: ['holder'],
  },
  writeKey: {
    table: 'keys',
    action: 'put',
    columns: ['id', 'scope', 'hash', 'created_at', 'revoked_at', 'body'],
    key: ['id'],
    updates: ['revoked_at', 'body'],
  },
  writeDocument: { table: 'documents', action: 'put', columns: ['scope', 'body'], key: ['scope'] },
  dropDocument: { table: 'documents', action: 'delete', columns: ['scope'], key: ['scope'] },
  keep: { table: 'kept', action: 'put', columns: ['name', 'body'], key: ['name'] },
  appendEntry: {
    table: 'journal',
    action: 'insert',
    columns: ['root', 'place', 'body', 'totals', 'hash'],
    key: ['root', 'place'],
  },
} as const satisfies Readonly<Record<string, RowWrite>>

export type RowWriteName = keyof typeof ROW_WRITES

/** Receives the changes of rows one by one, in the order in which they are to be written. */
export type WriteRow = (write: RowWriteName, values: readonly SqlValue[]) => void
