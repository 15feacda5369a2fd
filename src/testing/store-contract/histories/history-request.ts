import {
  type AddKeyRequest,
  type AnswerRequest,
  type AskRequest,
  type AssumeRequest,
  type BeatRequest,
  type CloseRequest,
  type HoldRequest,
  isStintError,
  type LedgerStore,
  type NoteRequest,
  type OpenRequest,
  type PauseRequest,
  type ReleaseRequest,
  type ReserveRequest,
  type ResumeRequest,
  type RevokeKeyRequest,
  type SetLimitsRequest,
  type SettleRequest,
} from '../../../core/index.ts'

/** A step of a history, as a request to a store. */
export type HistoryRequest =
  | ({ readonly call: 'open' } & OpenRequest)
  | ({ readonly call: 'close' } & CloseRequest)
  | ({ readonly call: 'reserve' } & ReserveRequest)
  | ({ readonly call: 'settle' } & SettleRequest)
  | ({ readonly call: 'release' } & ReleaseRequest)
  | ({ readonly call: 'assume' } & AssumeRequest)
  | ({ readonly call: 'beat' } & BeatRequest)
  | ({ readonly call: 'hold' } & HoldRequest)
  | ({ readonly call: 'setLimits' } & SetLimitsRequest)
  | ({ readonly call: 'pause' } & PauseRequest)
  | ({ readonly call: 'resume' } & ResumeRequest)
  | ({ readonly call: 'note' } & NoteRequest)
  | ({ readonly call: 'ask' } & AskRequest)
  | ({ readonly call: 'answer' } & AnswerRequest)
  | ({ readonly call: 'addKey' } & AddKeyRequest)
  | ({ readonly call: 'revokeKey' } & RevokeKeyRequest)

/** Reserving again with a finished id throws: for a history, that is an answer like any other. */
export interface Conflict {
  readonly kind: 'conflict'
}

/** A holder that was declared dead cannot start anything. */
export interface OfTheDead {
  readonly kind: 'dead'
}

/** Sends the request to a store. */
export async function sendRequest(store: LedgerStore, request: HistoryRequest): Promise<unknown> {
  switch (request.call) {
    case 'open':
      return store.open(request).catch(refusalFrom)
    case 'close':
      return store.close(request)
    case 'reserve':
      return store.reserve(request).catch(refusalFrom)
    case 'settle':
      return store.settle(request)
    case 'release':
      return store.release(request)
    case 'assume':
      return store.assume(request)
    case 'beat':
      return store.beat(request)
    case 'hold':
      return store.hold(request)
    case 'setLimits':
      return store.setLimits(request)
    case 'pause':
      return store.pause(request)
    case 'resume':
      return store.resume(request).catch(refusalFrom)
    case 'note':
      return store.note(request)
    case 'ask':
      return store.ask(request)
    case 'answer':
      return store.answer(request)
    case 'addKey':
      return store.addKey(request)
    case 'revokeKey':
      return store.revokeKey(request)
  }
}

function refusalFrom(error: unknown): Conflict | OfTheDead {
  if (isStintError(error, 'reservation_conflict')) return { kind: 'conflict' }
  if (isStintError(error, 'holder_dead')) return { kind: 'dead' }
  throw error
}
