import type { ModelPrice, Usage } from '../../pricing/index.ts'
import type { CountedCalls, ModelCallSpec, ServedAs } from '../call.ts'
import type { ScopeRuntime } from '../scope/scope-runtime.ts'
import type { GrantedRoom, RoomRequest } from './reserve-room.ts'
import type { CountedCharge } from './settle-room.ts'

/** One model call, from its asking to its settlement: admitting, running and settling it each fill in their part. */
export interface CallRecord {
  /** The scope that pays. */
  readonly runtime: ScopeRuntime
  /** As it was asked for, with the input that its provider has counted once that is known. */
  spec: ModelCallSpec
  readonly price: ModelPrice | null
  /** Whether it is a part of the conversation of its scope, which ends with a closing call. */
  readonly isTalk: boolean
  /** What it asks of the path. */
  ask: RoomRequest
  /** What it was granted; `null` before that. */
  room: GrantedRoom | null
  readonly progress: CallProgress
  /** What was charged for it so far. */
  readonly charged: CountedCharge
}

/** A call that was let in. */
export interface AdmittedCall extends CallRecord {
  room: GrantedRoom
}

/** What is known of a call while it runs. */
export interface CallProgress {
  hasFirstByte: boolean
  reported: Partial<Usage> | null
  counted: CountedCalls
  served: ServedAs
  /** The thinking budget that it was sent with. */
  thinkingBudget: number | null
}

type NewCall = Pick<CallRecord, 'runtime' | 'spec' | 'price' | 'isTalk' | 'ask'>

/** Nothing is known of it yet but what it asks. */
export function beginCallRecord(call: NewCall): CallRecord {
  const progress = { hasFirstByte: false, reported: null, counted: {}, served: {}, thinkingBudget: null }
  return { ...call, room: null, progress, charged: { amounts: {} } }
}

/** The call as it was let in. */
export function admitted(call: CallRecord, room: GrantedRoom): AdmittedCall {
  call.room = room
  return call as AdmittedCall
}
