import type { ServedBy } from '../../governor/edge.ts'
import type { PromptPart, ProviderTool, RequestEdits, RequestView } from '../../loop/request-view.ts'
import type { TokenCounting } from '../../pricing/estimate/counting/token-counting.ts'
import type { Usage, UsageReading } from '../../pricing/index.ts'
import type { JsonBody } from '../json/index.ts'
import type { KnownEdits } from './shared/request/known-edits.ts'
import type { Conversation } from './shared/request/wire-conversation.ts'

/** One model API over HTTP. All dialects have the same interface, and run the same contract suite. */
export interface Dialect {
  readonly name: DialectName
  /**
   * Reads what the gateway needs to know of a request. Throws `BadRequestError`, which names the field and the fix.
   * What is the same as in an `earlier` request is not read again; an error may then be worded differently.
   */
  readRequest(body: Buffer, earlier?: EarlierRequest): WireRequest
  /** The request with these edits: only the bytes that change are rewritten. Without edits: the same bytes. */
  editRequest(request: WireRequest, edits: RequestEdits): Buffer
  /** Follows the answer to a request on its way to the client. */
  relayAnswer(request: WireRequest, options: RelayOptions): AnswerRelay
  /** How the provider counts the tokens of a request without answering it; `null` if it does not. */
  readonly counting: TokenCounting | null
  /** An error in the provider's own format. */
  errorBody(error: WireError): Buffer
  /**
   * A whole answer that says `text` and calls no tool: where an error would come too late, or instead of a truncated
   * answer, whose `replaced` id and usage it keeps.
   */
  shortAnswer(request: WireRequest, text: string, replaced?: ReplacedAnswer): Buffer
  /**
   * Keeps a stream that has not begun alive. A stream that starts with it continues with the events of `shortAnswer`.
   */
  ping(): Buffer
}

/** A request that starts like another one. */
export interface EarlierRequest {
  readonly request: WireRequest
  /** No other request will continue from it. */
  readonly isLast?: boolean
  /** How many messages, at least one, lie within the bytes that both bodies share from the start. */
  readonly same: number
}

/** The provider's answer that is replaced by another text. */
export interface ReplacedAnswer {
  readonly answerId: string | null
  readonly usage: Usage
}

export type DialectName = 'anthropic-messages' | 'openai-chat' | 'openai-responses'

/** The members of a request other than its messages. As long as their bytes are the same, so is their meaning. */
export interface RequestFields
  extends Pick<
    RequestView,
    | 'model'
    | 'maxOutputTokens'
    | 'choices'
    | 'thinkingBudget'
    | 'cacheMark'
    | 'priceFactor'
    | 'hasTools'
    | 'isFormForced'
    | 'forcesTool'
  > {
  readonly isStream: boolean
  readonly providerTools: readonly WireTool[]
  /** The provider stores the conversation (`previous_response_id`), so an answer cannot be cut afterwards. */
  readonly isServerHeld: boolean
  /** Fields that let the provider spend an unbounded amount: refused if a limit could not hold. */
  readonly unbounded: readonly string[]
  /** The client did not ask for the usage chunk at the end of its stream: we do, and remove it again. */
  readonly hidesUsage: boolean
  /** The parts of the prompt before its messages. */
  readonly leading: readonly PromptPart[]
  /** See `PromptParts`. */
  readonly variant: string
  /** Whether tools that come with a message may be called. */
  readonly mayAddTools: boolean
  /** How many messages it has if they are not a list. */
  readonly messagesWithoutList: number
}

/** A request on the wire. */
export interface WireRequest extends RequestFields, RequestView {
  readonly fields: RequestFields
  readonly body: Buffer
  /** Without the messages. */
  readonly json: JsonBody
  readonly conversation: Conversation
  edited: KnownEdits
  readonly providerTools: readonly WireTool[]
}

/** A provider-run tool of a request. */
export interface WireTool extends ProviderTool {
  readonly name: string
}

export interface RelayOptions {
  /**
   * Called for each tool call in the order of the answer; after the first refusal, none reaches the client. `null`: all
   * do.
   */
  readonly admitToolCall: ((call: { readonly id: string; readonly name: string }) => Promise<boolean>) | null
  /** Removes the usage chunk that only we asked for. */
  readonly hidesUsage: boolean
  /** The closing answer: tool calls and stray tool markup never reach the client. */
  readonly isClosing: boolean
  readonly isEventStream: boolean
}

/** Follows one answer. */
export interface AnswerRelay {
  /** What to pass on to the client now. A promise only while a tool call waits to be admitted. */
  push(bytes: Buffer): Buffer | Promise<Buffer>
  /** What is still to be sent when the upstream has ended. */
  end(): Buffer | Promise<Buffer>
  /** What is known of the answer so far; never throws. */
  reading(): AnswerReading
}

export interface AnswerReading {
  /** The id by which a later request may continue from it, if the provider stores the conversation. */
  readonly answerId?: string | null
  /** `null` until the answer reports it. Malformed usage is an anomaly, never a guess. */
  readonly usage: UsageReading | null
  /** Usage so far, for an answer that breaks off. */
  readonly partialUsage: Partial<Usage> | null
  /** Tool calls that reached the client, and those that did not. */
  readonly toolCalls: { readonly passed: number; readonly cut: number }
  readonly providerToolCalls: number
  readonly webSearches: number
  /** Searches in files stored at the provider. */
  readonly fileSearches?: number
  /** Who produced it, according to the answer: the model and the price of its tier. */
  readonly served?: ServedBy
  /** The text that the client was sent, up to a bound: what a run returns. */
  readonly text: string
  /** The answer ended normally. */
  readonly isComplete: boolean
  /** The model stopped at the output cap. */
  readonly isCutByCap: boolean
  /** The stream carried an error of the provider. */
  readonly hasError: boolean
  /** Something was generated, even if only thinking. Left out if the usage shows that as well. */
  readonly hasContent?: boolean
}

/** An error as the gateway knows it, before a dialect formats it. */
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
