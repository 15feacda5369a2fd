/**
 * The part of the ledger's port that lets one process at a time do something for all, such as sending to a webhook, and
 * stores its progress. Independent of the trees: taking a lease changes no budget.
 */
export interface LeaseStore {
  /** Takes, renews or returns (`forMs: 0`) a lease. */
  lease(request: LeaseRequest): Promise<LeaseOutcome>
  /** The last holder of the lease and its stored progress; `null` if it was never taken. */
  leased(request: { readonly lease: string }): Promise<LeaseReading | null>
}

export interface LeaseRequest {
  /** Its name. */
  readonly lease: string
  readonly holder: string
  /** How long it is held unless it is renewed. At most 10 minutes. */
  readonly forMs: number
  /** Replaces the stored progress, if the lease is held. */
  readonly text?: string
  readonly atMs: number
}

export interface LeaseReading {
  readonly holder: string
  readonly untilMs: number
  /** `null` if nothing was stored yet. */
  readonly text: string | null
}

/** `taken`: another holder has it until then. */
export type LeaseOutcome = ({ readonly kind: 'held' } & LeaseReading) | ({ readonly kind: 'taken' } & LeaseReading)
