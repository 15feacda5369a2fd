import type { MediaFile, ProviderRunTool, ServedAs } from '../../governor/index.ts'
import type { TokenCounting } from '../../pricing/counting/token-counting.ts'
import type { CacheMark, Usage, UsageReading } from '../../pricing/index.ts'

/** One way of talking to a model over HTTP. Every dialect has the same names, and one contract suite runs them all. */
export interface Dialect {
  readonly name: DialectName
  /** Reads what the gateway must know of a request. Throws `BadRequestError`, which names the field and the fix. */
  readRequest(body: Buffer): WireRequest
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

/** The answer of a provider that another text is sent in place of. */
export interface ReplacedAnswer {
  readonly answerId: string | null
  readonly usage: Usage
}

export type DialectName = 'anthropic-messages' | 'openai-chat' | 'openai-responses'

/** A request as far as its limits go. */
export interface WireRequest {
  readonly body: Buffer
  readonly model: string
  readonly isStream: boolean
  /** The length of the conversation, the system prompt left out. */
  readonly messages: number
  /** The output cap that the client asks for; `null`: none, so that it is the model's own maximum. */
  readonly maxOutputTokens: number | null
  readonly choices: number
  /** `null` where the model does not think, or nobody can say how much. */
  readonly thinkingBudget: number | null
  readonly cacheMark: CacheMark
  /** What multiplies the price: a priority or fast tier that the request asks for. */
  readonly priceFactor: { readonly numerator: number; readonly denominator: number } | null
  /** Whether the model may call tools that the client runs. A request without any is a side request. */
  readonly hasTools: boolean
  /** The client demands a tool call or a schema: its form wins over ours. */
  readonly isFormForced: boolean
  /** The client demands a call of a tool that it runs; a schema alone demands none. */
  readonly forcesTool: boolean
  /** Tools that the provider runs, each with the bound that the request gives it. */
  readonly providerTools: readonly ProviderTool[]
  /** The conversation is kept by the provider (`previous_response_id`), so that an answer cannot be cut afterwards. */
  readonly isServerHeld: boolean
  /** What it goes on from: the `answerId` of an earlier answer, whose prompt and text are in no body of this one. */
  readonly previousAnswerId?: string | null
  /** Fields that let the provider spend what nothing in the request bounds: refused where a limit could not hold. */
  readonly unbounded: readonly string[]
  /** Whether the client itself asked for a usage chunk at the end of its stream. */
  readonly asksForUsage: boolean
  /** The tool results in the conversation, in order. Those after the last answer of the model are the newest batch. */
  readonly toolResults: readonly ToolResult[]
  /** Every text in them, as far as one can be written anew. */
  resultTexts(): readonly string[]
  /** What the input estimate is made from. */
  prompt(): PromptParts
}

export interface ProviderTool extends ProviderRunTool {
  /** Where it stands in the request's list of tools. */
  readonly index: number
  readonly name: string
}

export interface ToolResult {
  readonly toolCallId: string
  readonly isNewest: boolean
}

/** The prompt in parts, each with a digest that survives what does not change its meaning (a cache mark that moves). */
export interface PromptParts {
  /** System prompt, tools and messages, in this order. */
  readonly parts: readonly PromptPart[]
  /** What else makes the provider read more or less of the same parts: then what it counted before is worth nothing. */
  readonly variant: string
}

export interface PromptPart {
  readonly kind: 'system' | 'tools' | 'user' | 'assistant'
  readonly digest: string
  /** The text that the model will read, as far as it is text: what is counted. Read only when asked for. */
  text(): string
  readonly bytes: number
  /** Images, documents and other media, by what is known of each. */
  readonly media: readonly MediaFile[]
  /** Of the tools: the kinds of those that the provider defines itself, and how many tools there are in all. */
  readonly tools?: { readonly toolCount: number; readonly definedTools: readonly string[] }
  /** It is a conversation that the provider keeps, up to the answer with this `answerId`. */
  readonly heldAnswerId?: string
}

/** What the gateway changes in a request. */
export interface RequestEdits {
  readonly maxOutputTokens?: number
  readonly thinkingBudget?: number
  /** OpenAI chat: ask for the usage chunk. */
  readonly includeUsage?: boolean
  /** The static line about the budget: a last system block without a cache mark. */
  readonly promptLine?: string
  /** What is put under tool results, by tool-call id. */
  readonly hints?: ReadonlyMap<string, string>
  /** Texts of tool results in which something looks like our hints, each with the harmless one in its place. */
  readonly defused?: ReadonlyMap<string, string>
  readonly withoutParallelTools?: boolean
  /** Tools of `providerTools`, by index: the bound to write, or `null` to take the tool out. */
  readonly providerToolUses?: ReadonlyMap<number, number | null>
  /** OpenAI responses: tools of `providerTools`, by index, that stay listed and may not be used. */
  readonly forbiddenTools?: ReadonlySet<number>
  /** Anthropic: the most tokens that one use of a tool may bring in, by index. */
  readonly providerToolContents?: ReadonlyMap<number, number>
  /** OpenAI responses: the bound over all tools that the provider runs. */
  readonly maxProviderCalls?: number
  /** Makes it the closing call: this text is added, and no tool may be used unless a form is forced. */
  readonly closing?: { readonly text: string; readonly withoutTools?: boolean; readonly resultsLeftOut?: number }
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
