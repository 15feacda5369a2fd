import type { Amounts, Breach, Meter } from '../core/index.ts'
import type { ModelCall, Usage } from '../pricing/index.ts'

/** A reserved amount, open until it is settled or released. */
export interface Reservation {
  readonly kind: 'granted'
  readonly id: string
  readonly amounts: Amounts
  /** Charges actual usage. Without it, or where a meter is missing, the reserved amount is charged. Never refused. */
  settle(actual?: Readonly<Partial<Record<keyof Amounts, unknown>>> | null): Promise<void>
  /** Gives the reservation back. Only for a call that was never sent. */
  release(): Promise<void>
}

/** A refusal: the limits that had no room, outermost first. */
export interface Refusal {
  readonly kind: 'refused'
  readonly breach: Breach
  readonly breaches: readonly [Breach, ...Breach[]]
  /** It may fit once calls in flight settle; the time to wait for them has run out. */
  readonly mayFitLater: boolean
}

/** A tool call, as far as limits are concerned. */
export interface ToolSpec {
  readonly name: string
  /** The tool has side effects, so it is not stopped halfway if that can be avoided. */
  readonly changes?: boolean
  /** The tool ends the work (a submission, a structured answer). It is not counted unless it fails repeatedly. */
  readonly endsWork?: boolean
  readonly timeoutMs?: number
  /** Aborted when the caller has gone away: the call stops waiting and does not run. */
  readonly signal?: AbortSignal
}

export interface ToolGrant {
  /** Aborted when the tool must stop: the scope ran out of time or was stopped, or the tool timed out. */
  readonly signal: AbortSignal
}

/** A model call, as far as limits are concerned. */
export interface ModelCallSpec extends Omit<ModelCall, 'book'> {
  /** The length of the conversation, for `messages` limits. */
  readonly messages?: number
  readonly waitMs?: number
  /**
   * Tool calls that the answer may contain. They are reserved with the call, so that a shortage shows before it is
   * sent.
   */
  readonly toolCalls?: number
  /** Aborted when the caller has gone away: the call stops waiting, and is not sent if it has not been yet. */
  readonly signal?: AbortSignal
  /** The caller retries by itself: if the call waits in vain for calls in flight, it is refused and no limit acts. */
  readonly comesAgain?: boolean
  /** The request cannot be taken back once sent: it is stopped only when nothing at all may continue. */
  readonly runsOn?: boolean
  /** Which attempt at the same request this is, from 1, for the records. Default: the first. */
  readonly attempt?: number
  /** The grant includes what is left on the path. */
  readonly withLeft?: boolean
  /**
   * The untrusted file that names the model, if one does. Without a price, the model is then refused under any cost
   * limit.
   */
  readonly namedBy?: string
  /**
   * A request outside the scope's conversation, such as one for a title. Nothing is held for its closing call, and it
   * is refused where only the closing call's hold is left.
   */
  readonly isAside?: boolean
  /** The hint about the budget that its prompt has for the first time. It is kept with the call, for readers. */
  readonly hint?: string
  /**
   * How many of the input tokens the provider has already counted, in an earlier prompt that this one starts with. They
   * may be read from a cache.
   */
  readonly countedTokens?: number
  /** The part of the input tokens that is reserved for provider-run tools rather than the prompt. */
  readonly providerReading?: { readonly tokens: number; readonly resultTokens: number }
  /**
   * Asks the provider for the exact token count of the request; `null` if it does not give one. Called at most once,
   * before the call is refused or shortened because of an estimate. An error counts as `null`.
   */
  readonly countTokens?: (options: { readonly signal: AbortSignal }) => Promise<number | null>
}

export interface ModelGrant {
  readonly signal: AbortSignal
  /** The output cap to send. It may be lower than requested. */
  readonly maxOutputTokens: number
  readonly thinkingBudget: number | null
  /**
   * The cap was lowered so far that it may truncate the answer. If the answer can be buffered, replace a truncated one
   * with the closing answer.
   */
  readonly isTight: boolean
  /** Identifies the reservation on the wire, so that the call is counted once. */
  readonly reservationId: string
  /** What is left of each limited meter on the tightest scope of the path; `null` unless requested. */
  readonly left: ReadonlyMap<Meter, number> | null
  /**
   * Call this when the first byte of an answer arrives. From then on, no error can prove that nothing was generated.
   */
  firstByte(): void
  /**
   * Reports what is known of the answer so far, in case the call does not finish: the rest is then assumed at its worst
   * case. Include `usage.outputTokens` only when it is final; it implies the first byte. What `run` returns takes
   * precedence.
   */
  report(partial: Partial<Omit<ModelAnswer<unknown>, 'value'>>): void
}

/** The result of a model call: its value, and what it used. */
export interface ModelAnswer<Value> {
  /** Becomes the `value` of the call's outcome. */
  readonly value: Value
  /** `null` if unknown: the worst case is charged, unless usage was reported during the call. */
  readonly usage: Partial<Usage> | null
  /** How many tools the answer called, if those are counted with it. Default: as many as were reserved. */
  readonly toolCalls?: number | undefined
  /** How many searches the provider ran. Default: as many as were reserved. */
  readonly webSearches?: number | undefined
  readonly fileSearches?: number | undefined
  /** The answer broke off: whatever its usage does not say is assumed. */
  readonly isCut?: boolean | undefined
  /**
   * What the answer says about who produced it: a different model, or a price multiplier for its tier, speed or region.
   * Charged if it is more expensive.
   */
  readonly servedBy?:
    | { readonly model?: string | null; readonly priceFactor?: ModelCall['priceFactor'] | null }
    | undefined
}

/** What is known of an answer apart from its value. */
export type CallReport = Parameters<ModelGrant['report']>[0]

/** Who produced an answer, according to the answer. */
export type ServedBy = NonNullable<ModelAnswer<unknown>['servedBy']>

/**
 * How a call ended: it finished, it was admitted and then had to stop (the scope's time or its own ran out), or it was
 * refused. A call that was stopped after it began is charged: a model call as `assumed`, until its usage is known.
 */
export type CallOutcome<Value> =
  | {
      readonly kind: 'done'
      readonly value: Value
      /** The output cap, if it was lowered. */
      readonly clampedTo: number | null
    }
  | {
      readonly kind: 'stopped'
      /** It ignored its signal for the whole grace period: it may still be running. */
      readonly abandoned: boolean
      /** The tool has side effects and may have been stopped halfway. */
      readonly mayBeHalfDone: boolean
      /** The limit that stopped it; `null` if a person or its own timeout did. */
      readonly by: Breach | null
      /** The error it threw after it was asked to stop; `null` if that was only the abort. */
      readonly error: unknown
    }
  | Refusal

/** A call that was admitted and then had to stop. */
export type StoppedCall = Extract<CallOutcome<unknown>, { readonly kind: 'stopped' }>
