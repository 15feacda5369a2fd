import type { Cancel, IncreaseRecord, Meter, Period } from '../../core/index.ts'

/** A request to raise one limit. Nothing the requesting agent says can grant it. */
export interface IncreaseRequest {
  readonly id: string
  readonly scopeId: string
  readonly scopePath: string
  readonly meter: Meter
  readonly per: Period | null
  readonly settled: number
  readonly limit: number
  /** The increase that is requested. */
  readonly asked: number
  readonly reason: string
  readonly status: 'open' | 'approved' | 'denied' | 'expired'
  /** The increase that was granted. */
  readonly granted: number | null
  /** Who answered. */
  readonly by: string | null
  /** ISO 8601. */
  readonly openedAt: string
  readonly expiresAt: string
  readonly answeredAt: string | null
}

/** A stored request in its public form. */
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
  /** The key of its limit, unique in the ledger. */
  readonly key: string
  /** Whether it was first made here, so that its answer is reported here. */
  readonly isOurs: boolean
  /** The scopes paused until it is answered, by id, and what the answer does to each. */
  readonly paused: Map<string, (isGranted: boolean) => void>
  /** Resolves with whether it was granted. */
  readonly answered: Promise<boolean>
  readonly answer: (isGranted: boolean) => void
  readonly cancelExpiry: Cancel
}
