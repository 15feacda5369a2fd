import type {
  Amounts,
  AnswerRequest,
  CounterMeter,
  EndStatus,
  Limit,
  ReserveHold,
  ScopeKind,
} from '../../../core/index.ts'

/** One operation on a ledger. Numbers choose among what exists at that moment, modulo its size. */
export type HistoryCommand =
  | {
      readonly do: 'open'
      readonly parent: number
      readonly limits: readonly Limit[]
      readonly ceilings: readonly Limit[] | null
      readonly count: number
      readonly kind: ScopeKind
      readonly needs: Amounts | null
      readonly hold: Amounts | null
      readonly labels: Readonly<Record<string, string>> | null
    }
  /** Opens an existing scope, for another owner. */
  | {
      readonly do: 'adopt'
      readonly scope: number
      readonly owner: number
      readonly ceilings: readonly Limit[] | null
      readonly hold: Amounts | null
    }
  | { readonly do: 'close'; readonly scope: number; readonly status: EndStatus; readonly activeMs: number | null }
  | {
      readonly do: 'reserve'
      readonly scope: number
      readonly amounts: Amounts
      readonly holder: number
      readonly how: ReserveManner
      /** The closing call of its conversation; `null`: none. */
      readonly closingCall: ReserveHold | null
      readonly tentative: boolean
    }
  | {
      readonly do: 'settle'
      readonly call: number
      readonly actual: Reported
      readonly assumed: boolean
      readonly hold: Amounts | null
      readonly activeMs: number | null
    }
  | { readonly do: 'release'; readonly call: number; readonly hold: Amounts | null }
  | {
      readonly do: 'assume'
      readonly holder: number
      /** The heartbeats that were counted; `null`: not counted. */
      readonly beats: number | null
    }
  | { readonly do: 'beat'; readonly holder: number }
  | { readonly do: 'hold'; readonly scope: number; readonly wanted: Amounts | null }
  | {
      readonly do: 'setLimits'
      readonly scope: number
      readonly limits: readonly Limit[]
      readonly expectedRevision: number | null
    }
  | {
      readonly do: 'pause'
      readonly scope: number
      /** The question whose answer it waits for; `null`: none. */
      readonly question: number | null
      readonly document: string | null
      readonly activeMs: number | null
    }
  | {
      readonly do: 'resume'
      readonly scope: number
      readonly owner: number | null
      readonly question: number | null
      readonly hold: Amounts | null
    }
  | {
      readonly do: 'note'
      readonly scope: number
      readonly document: string | null
      readonly activeMs: number | null
    }
  | { readonly do: 'ask'; readonly scope: number; readonly limit: number; readonly asked: number }
  | {
      readonly do: 'answer'
      readonly question: number
      readonly verdict: AnswerRequest['verdict']
      readonly amount: number | null
    }
  | {
      readonly do: 'addKey'
      readonly scope: number
      readonly name: string | null
      readonly expiresInMs: number | null
      /** A key whose id it reuses with another hash; `null`: a new id. */
      readonly takesIdOf: number | null
    }
  | { readonly do: 'revokeKey'; readonly key: number }
  /** Repeats an earlier request. */
  | { readonly do: 'replay'; readonly request: number }
  | { readonly do: 'wait'; readonly minutes: number }

/** What a provider reports: the truth, less, more, nothing, or nonsense. */
export type Reported = Readonly<Partial<Record<CounterMeter, unknown>>> | null

export interface ReserveManner {
  readonly patient: boolean
  readonly closing: boolean
  /** The units of an elastic part on `tokens`, in addition to the fixed amounts; 0: none. */
  readonly elastic: number
  /** The length of the conversation; 0: unknown. */
  readonly messages: number
  readonly activeMs: number | null
}
