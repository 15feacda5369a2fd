import type { Breach, Breaches } from '../core/index.ts'
import type { PathLimits } from '../governor/edge.ts'
import type { CallOutcome, ModelCallSpec, ModelGrant } from '../governor/index.ts'
import type { EstimateMode, Usage } from '../pricing/index.ts'
import type { LoopState } from './loop-state.ts'
import type { PlannedCall } from './planned-call.ts'
import type { LearnedSizes } from './prompt/learned-sizes.ts'
import type { RequestEdits, RequestView } from './request-view.ts'

/**
 * One request of an agent on its way through the limits of its scope, as an edge hands it over: what was read of it, how
 * it is edited, and how it is sent. Everything else happens in this folder, the same for every edge.
 */
export interface LoopCall<Request extends RequestView = RequestView, Sent extends SentAnswer = SentAnswer> {
  readonly state: LoopState
  readonly limits: PathLimits
  readonly request: Request
  readonly settings: CallSettings
  /** The request with these changes, read again. */
  edit(request: Request, edits: RequestEdits): Request
  /** Sends the request under its grant and returns when its answer has come to its end. Throws where there was none. */
  send(attempt: Attempt): Promise<Sent>
  /** Asks for room, in whatever way the edge waits for it. `null`: nobody waits for the answer any more. */
  ask<Value>(start: Ask<Value>, isClosing: boolean): Promise<CallOutcome<Value> | null>
  /** Has the provider count the tokens of a request; `null` where it cannot. */
  readonly count: ((request: Request, signal: AbortSignal) => Promise<number | null>) | null
  /** A limit ended the work: what comes now is the closing call, or a refusal. */
  onRefused?(breaches: Breaches): void
  /** Whether nothing of an answer has reached the client yet, so that another can take its place. */
  isReplaceable(sent: Sent): boolean
  /** Another answer is made in place of this one. */
  discard?(sent: Sent): void
  /** The answer with `text` in place of its own, as one that ended regularly. */
  withText(sent: Sent, text: string): Sent
  /** Nothing can be said to the client any more. */
  isOver(): boolean
  /** What the provider said when it refused a request as malformed; `null` where it did not. */
  refusalText(error: unknown): string | null
}

/** Asks the scope for room; `onGrant` is called when there is some, before anything is sent. */
export type Ask<Value> = (onGrant: () => void) => Promise<CallOutcome<Value>>

/** What an edge knows of its calls beside what is in the request. */
export interface CallSettings {
  /** The part of a spec that is the edge's own. */
  readonly spec: Partial<ModelCallSpec>
  /** Whether a limit may turn the request into the closing call. */
  readonly mayClose: boolean
  /** Whether the agent is told of its budget. */
  readonly tells: boolean
  /** Whether one call of a tool that the client runs is set aside with the request. */
  readonly reservesToolCall: boolean
  /** Edits that are the edge's own. */
  readonly edits?: RequestEdits
  /** Tools that the provider runs and no request can bound stay in it, though a limit counts them. */
  readonly allowsUnboundedTools?: boolean
  readonly input?: EstimateMode
  /** The kind of prompt that what is learned of it is kept by, and what was learned outside of this scope. */
  readonly learned?: { readonly kind: string; readonly elsewhere?: LearnedSizes }
}

/** What is sent. */
export interface Attempt {
  readonly planned: PlannedCall
  /** With what the grant says. */
  readonly edits: RequestEdits
  readonly grant: ModelGrant
  /** The answer is kept back as a whole, if it can be: it may be replaced. */
  readonly isHeldBack: boolean
  /** There is another answer to hand on in its place: of one that fails nothing is handed on. */
  readonly isSecond: boolean
}

/** An answer that has come to its end. */
export interface SentAnswer {
  readonly usage: Partial<Usage> | null
  /** The output cap that it was granted. */
  readonly cap: number
  /** It has no regular end: what its usage leaves open is not known. */
  readonly isCut: boolean
  /** The model stopped because of the output cap. */
  readonly isCutByCap: boolean
  /** What the model itself has said. */
  readonly text: string
  /** Whether it calls tools that its client runs. */
  readonly callsTools: boolean
  /** What the provider counted, where that tells what the prompt takes; `null` where it does not. */
  readonly counted: CountedAnswer | null
}

/** An answer whose usage tells what its prompt takes. */
export interface CountedAnswer {
  readonly usage: Usage
  /** By which a later request may go on from it, where the provider keeps the conversation. */
  readonly answerId?: string | null
}

/** What became of a request. */
export type LoopEnd<Sent> =
  | {
      readonly kind: 'answered'
      readonly sent: Sent
      readonly planned: PlannedCall
      /** The output cap that cut the answer, or that was smaller than asked; `null` where it was not ours. */
      readonly clampedTo: number | null
      /** The limit that cut it short; `null` where none did, or the ledger can't say. */
      readonly cutBy: Breach | null
    }
  | { readonly kind: 'stopped'; readonly breach: Breach | null }
  | { readonly kind: 'refused'; readonly breaches: Breaches; readonly mayFitLater: boolean }
  /** Nobody waits for it any more. */
  | { readonly kind: 'called-off' }
