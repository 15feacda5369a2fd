import type { ServedAs } from '../../governor/index.ts'
import type { ProviderTool, RequestEdits, RequestView } from '../../loop/request-view.ts'
import type { TokenCounting } from '../../pricing/counting/token-counting.ts'
import type { Usage, UsageReading } from '../../pricing/index.ts'
import type { JsonBody, KnownSplice } from '../json/index.ts'
import type { Conversation } from './request/wire-conversation.ts'

/** One way of talking to a model over HTTP. Every dialect has the same names, and one contract suite runs them all. */
export interface Dialect {
  readonly name: DialectName
  /**
   * Reads what the gateway must know of a request. Throws `BadRequestError`, which names the field and the fix. What is
   * the same as in an `earlier` request is not read again; then an error may have other words than without it.
   */
  readRequest(body: Buffer, earlier?: EarlierRequest): WireRequest
  /** The request with these changes: only the bytes that change are written anew. No change: the same bytes. */
  editRequest(request: WireRequest, edits: RequestEdits): Buffer
  /** Follows the answer to a request on its way to the client. */
  relayAnswer(request: WireRequest, options: RelayOptions): AnswerRelay
  /** How the provider counts the tokens of a request without answering it; `null` where it does not. */
  readonly counting: TokenCounting | null
  /** An error in the provider's own shape. */
  errorBody(error: WireError): Buffer
  /**
   * A whole answer that says `text` and calls no tool: where an error would come too late, or in place of an answer that
   * was cut, whose `replaced` id and usage it keeps.
   */
  shortAnswer(request: WireRequest, text: string, replaced?: ReplacedAnswer): Buffer
  /** What keeps a stream that has not begun alive. A stream that began with it goes on with `shortAnswer`'s events. */
  ping(): Buffer
}

/** A request that another one begins like. */
export interface EarlierRequest {
  readonly request: WireRequest
  /** How many messages, at least one, end in bytes that both bodies have from their first byte on. */
  readonly same: number
}

/** The answer of a provider that another text is sent in place of. */
export interface ReplacedAnswer {
  readonly answerId: string | null
  readonly usage: Usage
}

export type DialectName = 'anthropic-messages' | 'openai-chat' | 'openai-responses'

/** A request on the wire. */
export interface WireRequest extends RequestView {
  readonly body: Buffer
  readonly json: JsonBody
  /** Without messages where it is not a list. */
  readonly conversation: Conversation
  /** The newest body that was made of this one, or of an earlier one that it begins like. */
  edited: KnownSplice
  readonly isStream: boolean
  readonly providerTools: readonly WireTool[]
  /** The conversation is kept by the provider (`previous_response_id`), so that an answer cannot be cut afterwards. */
  readonly isServerHeld: boolean
  /** What it goes on from: the `answerId` of an earlier answer, whose prompt and text are in no body of this one. */
  readonly previousAnswerId?: string | null
  /** Fields that let the provider spend what nothing in the request bounds: refused where a limit could not hold. */
  readonly unbounded: readonly string[]
  /** Whether the client itself asked for a usage chunk at the end of its stream. */
  readonly asksForUsage: boolean
}

/** A tool of a request that the provider runs. */
export interface WireTool extends ProviderTool {
  readonly name: string
}

export interface RelayOptions {
  /** Asked for each tool call in the order of the answer; from the first no on, none reaches the client. `null`: all do. */
  readonly admitToolCall: ((call: { readonly id: string; readonly name: string }) => Promise<boolean>) | null
  /** The usage chunk that only we asked for. */
  readonly hidesUsage: boolean
  /** The closing answer: tool calls and stray tool markup never reach the client. */
  readonly isClosing: boolean
  readonly isEventStream: boolean
}

/** Follows one answer. */
export interface AnswerRelay {
  /** What goes on to the client now. A promise only while a tool call waits to be admitted. */
  push(bytes: Buffer): Buffer | Promise<Buffer>
  /** What is still to be sent when the upstream has ended. */
  end(): Buffer | Promise<Buffer>
  /** What is known of the answer so far; never throws. */
  reading(): AnswerReading
}

export interface AnswerReading {
  /** By which a later request may go on from it, where the provider keeps the conversation. */
  readonly answerId?: string | null
  /** `null` while the answer has said nothing of it. What is malformed is an anomaly, never a guess. */
  readonly usage: UsageReading | null
  /** Usage so far, for an answer that is cut off in the middle. */
  readonly partialUsage: Partial<Usage> | null
  /** Tool calls that reached the client, and those that did not. */
  readonly toolCalls: { readonly passed: number; readonly cut: number }
  readonly providerToolCalls: number
  readonly webSearches: number
  /** Searches in files that the provider keeps. */
  readonly fileSearches?: number
  /** Who gave it, as it says itself: the model and what its tier costs. */
  readonly served?: ServedAs
  /** The text that the client was sent, cut at a bound: what a run hands back. */
  readonly text: string
  /** The answer came to its regular end. */
  readonly isComplete: boolean
  /** The model stopped because of the output cap. */
  readonly isCutByCap: boolean
  /** The stream carried an error of the provider. */
  readonly hasError: boolean
  /** Something was generated, be it only thoughts. Left out where the usage tells that as well. */
  readonly hasContent?: boolean
}

/** An error as the gateway knows it, before a dialect gives it a form. */
export interface WireError {
  readonly kind:
    | 'budget'
    | 'bad-request'
    | 'unauthorized'
    | 'forbidden'
    | 'not-found'
    | 'too-large'
    | 'wait'
    | 'upstream'
    | 'internal'
  readonly message: string
}
