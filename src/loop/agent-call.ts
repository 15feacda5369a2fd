import type { Breach, Breaches } from '../core/index.ts'
import type { PathLimits } from '../governor/edge.ts'
import type { CallOutcome, ModelCallSpec, ModelGrant } from '../governor/index.ts'
import type { EstimateMode, Usage } from '../pricing/index.ts'
import type { Attempts } from './attempts.ts'
import type { LoopState } from './loop-state.ts'
import type { PlannedCall } from './planned-call.ts'
import type { LearnedSizes } from './prompt/learned-sizes.ts'
import type { RequestEdits, RequestView } from './request-view.ts'

/**
 * One request of an agent on its way through the limits of its scope, as an edge passes it in: what was read from it,
 * how to edit it, and how to send it. Everything else happens in this folder, the same for every edge.
 */
export interface AgentCall<Request extends RequestView = RequestView, Sent extends SentAnswer = SentAnswer> {
  readonly state: LoopState
  readonly limits: PathLimits
  readonly request: Request
  readonly settings: CallSettings
  /** How often this request was sent, including before this call. */
  readonly attempts: Attempts
  /** The request with these edits, read again. */
  edit(request: Request, edits: RequestEdits): Request
  /** Sends the request under its grant and resolves when its answer is finished. Throws if there was none. */
  send(attempt: Attempt): Promise<Sent>
  /** Asks for room, in whichever way the edge waits for it. `null`: the client is gone. */
  ask<Value>(start: Ask<Value>, isClosing: boolean): Promise<CallOutcome<Value> | null>
  /** Has the provider count the tokens of a request; `null` if it cannot. */
  readonly count: ((request: Request, signal: AbortSignal) => Promise<number | null>) | null
  /** A limit ended the work: the closing call or a refusal follows. */
  onRefused?(breaches: Breaches): void
  /** Whether nothing of an answer has reached the client yet, so that another can replace it. */
  isReplaceable(sent: Sent): boolean
  /** This answer is being replaced by another. */
  discard?(sent: Sent): void
  /** The answer with its text replaced, as one that ended normally. */
  withText(sent: Sent, text: string): Sent
  /** Nothing more can be sent to the client. */
  isOver(): boolean
  /** The provider's message when it refused a request as malformed; `null` if it did not. */
  refusalText(error: unknown): string | null
}

/** Asks the scope for room; `onGrant` is called once there is some, before anything is sent. */
export type Ask<Value> = (onGrant: () => void) => Promise<CallOutcome<Value>>

/** What an edge knows of its calls apart from the request. */
export interface CallSettings {
  /** The edge's part of the spec. */
  readonly spec: Partial<ModelCallSpec>
  /** Whether a limit may turn the request into the closing call. */
  readonly mayClose: boolean
  /** Whether the agent sees its budget. */
  readonly showsBudget: boolean
  /** Whether one client-run tool call is reserved with the request. */
  readonly reservesToolCall: boolean
  /** The edge's own edits. */
  readonly edits?: RequestEdits
  /** Keeps provider-run tools that no request can bound, even though a limit counts them. */
  readonly allowsUnboundedTools?: boolean
  readonly input?: EstimateMode
  /** The kind of prompt under which prompt sizes are learned, and what was learned outside of this scope. */
  readonly learned?: { readonly kind: string; readonly elsewhere?: LearnedSizes }
}

/** What is sent. */
export interface Attempt {
  readonly planned: PlannedCall
  /** Including what the grant sets. */
  readonly edits: RequestEdits
  readonly grant: ModelGrant
  /** The whole answer is held back if possible: it may be replaced. */
  readonly isHeldBack: boolean
  /** Another answer exists that can be passed on instead: if this one fails, nothing of it is passed on. */
  readonly isSecond: boolean
}

/** A finished answer. */
export interface SentAnswer {
  readonly usage: Partial<Usage> | null
  /** The output cap it was granted. */
  readonly cap: number
  /** It did not end normally: what its usage does not say is unknown. */
  readonly isCut: boolean
  /** The model stopped at the output cap. */
  readonly isCutByCap: boolean
  /** The model's own text. */
  readonly text: string
  /** Whether it calls client-run tools. */
  readonly callsTools: boolean
  /** The provider's count, if it reveals the size of the prompt; otherwise `null`. */
  readonly counted: CountedAnswer | null
}

/** An answer whose usage reveals the size of its prompt. */
export interface CountedAnswer {
  readonly usage: Usage
  /** The id by which a later request may continue from it, if the provider stores the conversation. */
  readonly answerId?: string | null
}

/** How a request ended. */
export type AgentCallEnd<Sent> =
  | {
      readonly kind: 'answered'
      readonly sent: Sent
      readonly planned: PlannedCall
      /** The output cap that truncated the answer, or that was lower than requested; `null` if it was not ours. */
      readonly clampedTo: number | null
      /** The limit that cut it short; `null` if none did, or the ledger cannot say. */
      readonly cutBy: Breach | null
    }
  | { readonly kind: 'stopped'; readonly breach: Breach | null }
  | { readonly kind: 'refused'; readonly breaches: Breaches; readonly mayFitLater: boolean }
  /** The client is gone. */
  | { readonly kind: 'called-off' }
