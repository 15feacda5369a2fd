import type { Amounts, CallFacts, ElasticAsk, LeftOnPath, ReserveHold } from '../../core/index.ts'

/** Which call a reservation is for, for the records. */
export interface CallInfo extends CallFacts {
  /** When it began (monotonic clock). */
  readonly startedAtMs: number
}

/** What to reserve, for whom, and how long it may wait. */
export interface RoomRequest {
  readonly amounts: Amounts
  readonly elastic?: ElasticAsk | undefined
  readonly messages?: number | undefined
  readonly waitMs: number
  /** The closing call that must stay affordable. */
  readonly hold?: ReserveHold | undefined
  /** It will be requested again if it does not fit: the refusal is not reported, and no limit acts yet. */
  readonly isTentative?: boolean
  /** The closing call: admitted even if a limit has halted everything else, and may use its scope's hold. */
  readonly isClosing?: boolean
  readonly withLeft?: boolean | undefined
  /** Aborted when the caller has gone away. */
  readonly signal?: AbortSignal | undefined
  /** Whether no limit acts when the wait was too long. */
  readonly comesAgain?: boolean | undefined
  readonly call: CallInfo
}

/** Room that was granted, and how many units of its elastic part. */
export interface GrantedRoom {
  readonly kind: 'granted'
  readonly id: string
  readonly amounts: Amounts
  readonly units: number
  readonly left: LeftOnPath | null
}
