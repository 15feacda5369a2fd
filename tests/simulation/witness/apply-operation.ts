import type { HistoryStore, KeyStore, LeaseStore, LedgerStore } from '../../../src/core/index.ts'
import { seeAnswer, seeAsk } from './see-requests.ts'
import { seeReserve } from './see-reserve.ts'
import { seeAssume, seeClose, seeOpen } from './see-scopes.ts'
import { seeRelease, seeSettle } from './see-settle.ts'
import { seeHold, seeNote, seePause, seeResume, seeSetLimits } from './see-steering.ts'
import type { Books } from './witness.ts'

type Operations = Omit<
  LedgerStore,
  | 'poll'
  | 'listen'
  | 'dispose'
  | 'holders'
  | 'beat'
  | 'read'
  | 'list'
  | 'count'
  | 'requests'
  | 'reservations'
  | 'document'
  | keyof HistoryStore
  | keyof KeyStore
  | keyof LeaseStore
>

/** An operation that changes the ledger, with what it was asked and what it answered. */
export type Applied = {
  [Name in keyof Operations]: Operations[Name] extends (request: infer Request) => Promise<infer Outcome>
    ? { readonly name: Name; readonly request: Request; readonly outcome: Outcome }
    : never
}[keyof Operations]

/** What the request and the answer of one operation are. */
export type Seen<Name extends keyof Operations> = Extract<Applied, { readonly name: Name }>

const SEE: { readonly [Name in Applied['name']]: (books: Books, seen: Seen<Name>) => void } = {
  open: seeOpen,
  close: seeClose,
  reserve: seeReserve,
  settle: seeSettle,
  release: seeRelease,
  assume: seeAssume,
  hold: seeHold,
  setLimits: seeSetLimits,
  pause: seePause,
  resume: seeResume,
  note: seeNote,
  ask: seeAsk,
  answer: seeAnswer,
}

/** Does in the books of the witness what the operation did in the ledger, and says what was wrong with it. */
export function applyOperation(books: Books, applied: Applied): void {
  const see = SEE[applied.name] as (books: Books, applied: Applied) => void
  see(books, applied)
}
