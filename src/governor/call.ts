import type { Amounts, Breaches, Meter } from '../core/index.ts'
import type { ModelCall, PriceFactor, Usage } from '../pricing/index.ts'
import type { ProviderReading } from './provider-tools/provider-run-tool.ts'

export interface ReserveOptions {
  /** How long to wait for room; 0 answers at once. */
  readonly waitMs?: number
  /** The length of the conversation, for `messages` limits. */
  readonly messages?: number
}

/** Room that was set aside, until it is settled or released. */
export interface Reservation {
  readonly kind: 'granted'
  readonly id: string
  readonly amounts: Amounts
  /** Charges what was used; without it, or where a meter is missing, the whole reservation. Never refused. */
  settle(actual?: Readonly<Partial<Record<keyof Amounts, unknown>>> | null): Promise<void>
  /** Gives the room back: only when nothing was sent. */
  release(): Promise<void>
}

/** No room: which limits of whom, the outermost first. */
export interface Refusal {
  readonly kind: 'refused'
  readonly breach: Breaches[0]
  readonly breaches: Breaches
  /** It may fit when calls in flight settle: the time to wait for them was over. */
  readonly mayFitLater: boolean
}

/** A tool as far as its limits go. */
export interface ToolSpec {
  readonly name: string
  /** It changes things, so that it is not stopped half way if that can be helped. */
  readonly changes?: boolean
  /** It ends the work (a submission, a structured answer), and is not counted, unless it fails again and again. */
  readonly endsWork?: boolean
  readonly timeoutMs?: number
  /** Aborted when whoever asks has gone away: then it waits no longer, and is not run. */
  readonly signal?: AbortSignal
}

export interface ToolGrant {
  /** Aborted when the tool must stop: the scope's time is up, it was stopped, or the tool's own time is over. */
  readonly signal: AbortSignal
}

/** A model call as far as its limits go. */
export interface ModelCallSpec extends Omit<ModelCall, 'book'> {
  /** The length of the conversation, for `messages` limits. */
  readonly messages?: number
  readonly waitMs?: number
  /** Tool calls that its answer may bring, reserved with it: that none is left is found before the call. */
  readonly toolCalls?: number
  /** Aborted when whoever asks has gone away: then it waits no longer, and what was not sent yet is not sent. */
  readonly signal?: AbortSignal
  /** Where it waited in vain for calls in flight it is merely refused, since whoever asks will ask again. */
  readonly comesAgain?: boolean
  /** What was sent cannot be taken back: it is stopped only when nothing at all may go on. */
  readonly runsOn?: boolean
  /** The grant says what is left beside it. */
  readonly tellsLeft?: boolean
  /** Where an untrusted file names the model. Without a price it is then refused under any cost limit. */
  readonly namedBy?: string
  /**
   * A request beside the conversation of its scope, such as one for a title: nothing is held back for its closing call,
   * and it is refused where only that is left.
   */
  readonly isAside?: boolean
  /**
   * How many of the input tokens the provider has counted itself, in an earlier prompt that this one begins with. They
   * may be read from a cache.
   */
  readonly countedTokens?: number
  /** What of the input tokens is set aside for tools that the provider runs, and is not the prompt itself. */
  readonly providerReading?: ProviderReading
  /**
   * Asks the provider for the exact tokens of the request as it would be sent; `null` where it does not say. Called at
   * most once, before the call is refused or cut short because of an estimate. What it throws is taken for `null`.
   */
  readonly countTokens?: (options: { readonly signal: AbortSignal }) => Promise<number | null>
}

export interface ModelGrant {
  readonly signal: AbortSignal
  /** The output cap to send, which may be smaller than the one that was asked for. */
  readonly maxOutputTokens: number
  readonly thinkingBudget: number | null
  /**
   * The cap was lowered so far that it may cut the answer. Where an answer can be held back until it is whole, one that
   * was cut is better replaced by the closing answer.
   */
  readonly isTight: boolean
  /** Names the reservation on the wire, so that the call is counted once. */
  readonly reservationId: string
  /** What is left of each limited meter on the tightest scope of the path; `null` unless it was asked for. */
  readonly left: ReadonlyMap<Meter, number> | null
  /** Say this when the first byte of an answer arrives: from then on no error shows that nothing was generated. */
  firstByte(): void
  /**
   * What is known of the usage so far, should the call not come to its end: the rest is then assumed at its worst case.
   * Name `outputTokens` only when no more can follow.
   */
  report(usage: Partial<Usage>): void
  /** What the answer says of who gave it: another model or tier than was asked for is charged if it is dearer. */
  servedAs(served: ServedAs): void
  /** How many of these there have been so far. What nobody counts is charged as it was reserved. */
  count(done: CountedCalls): void
}

/** What a model call came to: its value, and what it used. */
export interface ModelAnswer<Value> {
  /** What the outcome of the call has as its `value`. */
  readonly value: Value
  /** `null` where it is not known: then the worst case is charged, unless it was reported on the way. */
  readonly usage: Partial<Usage> | null
  /** How many searches its provider ran. Without it: as many as were reserved. */
  readonly webSearches?: number | undefined
  readonly fileSearches?: number | undefined
  /** It broke off: what its usage leaves open is assumed. */
  readonly isCut?: boolean | undefined
}

/** Who gave an answer, as it says itself. */
export interface ServedAs {
  readonly model?: string | null
  /** What the tier, the speed or the region multiplies the price by. */
  readonly priceFactor?: PriceFactor | null
}

/** What an answer has brought beside tokens. */
export interface CountedCalls {
  readonly toolCalls?: number
  readonly webSearches?: number
  readonly fileSearches?: number
}

/**
 * A call that was let in and then had to stop: the scope's time was up, or the call's own. Unless it had not begun, it is
 * charged: a model call as `assumed`, until what it used is known.
 */
export interface StoppedCall {
  readonly kind: 'stopped'
  /** It did not heed its signal within the grace: whether it goes on is not known. */
  readonly abandoned: boolean
  /** It changes things, and may have been stopped half way. */
  readonly mayBeHalfDone: boolean
  /** The limit behind it; `null` where a person or the call's own time-out stopped it. */
  readonly by: Breaches[0] | null
  /** What it threw after it was told to stop, where that is an error of its own; `null` where it only handed on the abort. */
  readonly error: unknown
}

/** A call that came to its end. */
export interface DoneCall<Value> {
  readonly kind: 'done'
  readonly value: Value
  /** The output cap, where it was smaller than asked. */
  readonly clampedTo: number | null
}

/** What became of a call. */
export type CallOutcome<Value> = DoneCall<Value> | StoppedCall | Refusal
