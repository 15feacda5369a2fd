import { isStintError, type LedgerStore } from '../../../core/index.ts'

type Call =
  | 'open'
  | 'close'
  | 'reserve'
  | 'settle'
  | 'release'
  | 'assume'
  | 'beat'
  | 'hold'
  | 'setLimits'
  | 'pause'
  | 'resume'
  | 'note'
  | 'ask'
  | 'answer'
  | 'addKey'
  | 'revokeKey'

/** A step of a history, as a request to a store. */
export type HistoryRequest = {
  readonly [Name in Call]: { readonly call: Name } & Parameters<LedgerStore[Name]>[0]
}[Call]

/** Reserving again with a finished id throws: for a history, that is an answer like any other. */
export interface Conflict {
  readonly kind: 'conflict'
}

/** A holder that was declared dead cannot start anything. */
export interface OfTheDead {
  readonly kind: 'dead'
}

const MAY_THROW: ReadonlySet<Call> = new Set(['open', 'reserve', 'resume'])

/** Sends the request to a store. */
export async function sendRequest(store: LedgerStore, request: HistoryRequest): Promise<unknown> {
  const { call } = request
  // The request is that of its call, which TypeScript cannot see across the union.
  const answer: Promise<unknown> = store[call](request as never)
  return MAY_THROW.has(call) ? answer.catch(refusalFrom) : answer
}

function refusalFrom(error: unknown): Conflict | OfTheDead {
  if (isStintError(error, 'reservation_conflict')) return { kind: 'conflict' }
  if (isStintError(error, 'holder_dead')) return { kind: 'dead' }
  throw error
}
