import type {
  AmountVector,
  CallResult,
  EndStatus,
  IncreaseRecord,
  KeyRecord,
  Limit,
  NewScope,
  PauseRecord,
  ReservationState,
} from '../../core/index.ts'

/** An entry of the journal: facts, not decisions, so that another version of the rules can add them up again. */
export type JournalFact =
  | { readonly kind: 'opened'; readonly at: number; readonly parent: string | null; readonly scope: OpenedScope }
  | {
      readonly kind: 'adopted'
      readonly at: number
      readonly scope: string
      readonly owner: string | null
      /** It was queued, and starts. */
      readonly starts?: true
      /** Its former owner was alive: only the owner changes. */
      readonly takesOver?: true
    }
  | {
      readonly kind: 'orphaned'
      readonly at: number
      readonly scope: string
      readonly owner: string
      readonly by?: string
      readonly reason?: string
    }
  | {
      readonly kind: 'closed'
      readonly at: number
      readonly scope: string
      readonly status: EndStatus
      readonly by?: string
    }
  | {
      readonly kind: 'paused'
      readonly at: number
      readonly scope: string
      readonly pause: PauseRecord
      /** Its place among its parent's children is free. Absent in facts of older versions, which kept it. */
      readonly leavesPlace?: true
    }
  | {
      readonly kind: 'resumed'
      readonly at: number
      readonly scope: string
      readonly owner: string | null
      readonly by: string | null
    }
  | {
      readonly kind: 'limits'
      readonly at: number
      readonly scope: string
      readonly limits: readonly Limit[]
      /** Absent in entries from before ceilings were stored: then those among the limits. */
      readonly ceilings?: readonly Limit[]
      readonly by: string | null
      readonly sequence: number
    }
  | {
      readonly kind: 'reserved'
      readonly at: number
      readonly scope: string
      readonly reservation: string
      readonly holder: string
      readonly amounts: AmountVector
      readonly sequence: number
    }
  | {
      readonly kind: 'settled' | 'released' | 'assumed' | 'corrected'
      readonly at: number
      readonly scope: string
      readonly reservation: string
      readonly charged: AmountVector
      readonly state: ReservationState
      /** That of its reservation. Absent in entries of earlier versions. */
      readonly sequence?: number
      /** What the charge was computed from. */
      readonly usage?: CallResult['usage']
      readonly price?: string
      readonly by?: string
      readonly reason?: string
    }
  | { readonly kind: 'asked' | 'answered'; readonly at: number; readonly request: IncreaseRecord }
  | { readonly kind: 'key-added' | 'key-revoked'; readonly at: number; readonly key: KeyRecord }

/** A scope as it was opened. */
export interface OpenedScope extends Omit<NewScope, 'hold' | 'about' | 'takesOver'> {
  readonly sequence: number
}
