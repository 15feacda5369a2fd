import type { Cancel, IncreaseRecord, Meter, Period } from '../../core/index.ts'

/** A request for more of one limit. Never granted by the words of the agent that makes it. */
export interface IncreaseRequest {
  readonly id: string
  readonly scopeId: string
  readonly scopePath: string
  readonly meter: Meter
  readonly per: Period | null
  readonly settled: number
  readonly limit: number
  /** How much more is wanted. */
  readonly asked: number
  readonly reason: string
  readonly status: 'open' | 'approved' | 'denied' | 'expired'
  /** How much more was given. */
  readonly granted: number | null
  /** Who answered. */
  readonly by: string | null
  /** ISO 8601. */
  readonly openedAt: string
  readonly expiresAt: string
  readonly answeredAt: string | null
}

/** A request as the store keeps it, in the words of the library. */
export function requestFromRecord(record: IncreaseRecord): IncreaseRequest {
  const { key: _, openedAtMs, expiresAtMs, answeredAtMs, ...rest } = record
  return {
    ...rest,
    openedAt: new Date(openedAtMs).toISOString(),
    expiresAt: new Date(expiresAtMs).toISOString(),
    answeredAt: answeredAtMs === null ? null : new Date(answeredAtMs).toISOString(),
  }
}

/** A request that waits for its answer. */
export interface OpenIncrease {
  request: IncreaseRequest
  /** Of the limit, in the whole ledger. */
  readonly key: string
  /** Whether it was first asked here, so that its answer is told here. */
  readonly isOurs: boolean
  /** The scopes that stand until it is answered, by id, and what the answer does to each. */
  readonly paused: Map<string, (isGranted: boolean) => void>
  /** Resolves with whether more was given. */
  readonly answered: Promise<boolean>
  readonly answer: (isGranted: boolean) => void
  readonly cancelExpiry: Cancel
}
