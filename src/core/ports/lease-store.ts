/**
 * The part of the ledger's port that lets one process at a time do something for all, such as sending to a webhook, and
 * keeps how far it came. Apart from the trees: taking a lease changes no budget.
 */
export interface LeaseStore {
  /** Takes a lease, keeps it, or gives it back (`forMs: 0`). */
  lease(request: LeaseRequest): Promise<LeaseOutcome>
  /** Who had the lease last, and what was kept with it; `null` if it was never taken. */
  leased(request: { readonly lease: string }): Promise<LeaseReading | null>
}

export interface LeaseRequest {
  /** Its name. */
  readonly lease: string
  readonly holder: string
  /** How long it is held unless it is taken again. At most 10 minutes. */
  readonly forMs: number
  /** Replaces what is kept with it, if it is held. */
  readonly text?: string
  readonly atMs: number
}

export interface LeaseReading {
  readonly holder: string
  readonly untilMs: number
  /** `null` if nothing was kept yet. */
  readonly text: string | null
}

/** `taken`: another holder has it until then. */
export type LeaseOutcome = ({ readonly kind: 'held' } & LeaseReading) | ({ readonly kind: 'taken' } & LeaseReading)
