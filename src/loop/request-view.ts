import type { MediaFile, ProviderRunTool } from '../governor/edge.ts'
import type { CacheMark } from '../pricing/index.ts'

/** A request to a model as far as its limits go: what an edge reads of it, whatever its own form is. */
export interface RequestView {
  readonly model: string
  /** The length of the conversation, the system prompt left out. */
  readonly messages: number
  /** The output cap that is asked for; `null`: none, so that it is the model's own maximum. */
  readonly maxOutputTokens: number | null
  readonly choices: number
  /** `null` where the model does not think, or nothing says how much. */
  readonly thinkingBudget: number | null
  /** The provider counts thoughts beside the cap of the request, not in it. `maxOutputTokens` is the sum of both. */
  readonly thinksBesideCap?: boolean
  readonly cacheMark: CacheMark
  /** What multiplies the price: a priority or fast tier that the request asks for. */
  readonly priceFactor: { readonly numerator: number; readonly denominator: number } | null
  /** Whether the model may call tools that the client runs. */
  readonly hasTools: boolean
  /** A tool call or a schema is demanded: that form wins over ours. */
  readonly isFormForced: boolean
  /** A call of a tool that the client runs is demanded; a schema alone demands none. */
  readonly forcesTool: boolean
  /** Tools that the provider runs, each with the bound that the request gives it. */
  readonly providerTools: readonly ProviderTool[]
  /** The tool results in the conversation, in order. Those after the last answer of the model are the newest batch. */
  readonly toolResults: readonly ToolResult[]
  /** Every text in them, as far as one can be written anew, or in those from the result with this index on. */
  resultTexts(fromResult?: number): readonly string[]
  /** What was found in them, be it by an earlier request that begins with the same ones. Written by `defusedResults`. */
  lookedThrough?: LookedThrough | null
  /** What the input estimate is made from. */
  prompt(): PromptParts
}

/** Tool results that were looked through. */
export interface LookedThrough {
  /** So many, from the first on. */
  readonly results: number
  /** Their texts in which something looks like our hints, each with the harmless one in its place; maybe also later ones. */
  readonly defused: ReadonlyMap<string, string>
}

export interface ProviderTool extends ProviderRunTool {
  /** Its place in the request's list of tools, by which edits name it. */
  readonly index: number
}

export interface ToolResult {
  readonly toolCallId: string
  /** By `createResultKeys`. */
  readonly key: string
  readonly isNewest: boolean
}

/** The prompt in parts, each with a digest that survives what does not change its meaning (a cache mark that moves). */
export interface PromptParts {
  /** System prompt, tools and messages, in this order. */
  readonly parts: readonly PromptPart[]
  /** What else makes the provider read more or less of the same parts: then what it counted before is worth nothing. */
  readonly variant: string
}

/** What stands for a prompt before one of its parts, and with it. */
export interface ChainedDigest {
  readonly before: string
  readonly after: string
}

export interface PromptPart {
  readonly kind: 'system' | 'tools' | 'user' | 'assistant'
  readonly digest: string
  /** Written by the estimate of one request for the next one with the same part. Left out: it doesn't come again. */
  chained?: ChainedDigest | null
  /** The text that the model will read, as far as it is text: what is counted. Read only when asked for. */
  text(): string
  readonly bytes: number
  /** Messages, parts of messages and tools in it, each of which takes a few tokens that are in no text. Default: 1. */
  readonly pieces?: number
  /** Images, documents and other media, by what is known of each. */
  readonly media: readonly MediaFile[]
  /** Of the tools: the kinds of those that the provider defines itself, and how many tools there are in all. */
  readonly tools?: { readonly toolCount: number; readonly definedTools: readonly string[] }
  /** It is a conversation that the provider keeps, up to the answer with this `answerId`. */
  readonly heldAnswerId?: string
}

/** What Stint changes in a request. */
export interface RequestEdits {
  readonly maxOutputTokens?: number
  readonly thinkingBudget?: number
  /** OpenAI chat: ask for the usage chunk. */
  readonly includeUsage?: boolean
  /** The static line about the budget: a last system block without a cache mark. */
  readonly promptLine?: string
  /** What is put under tool results, by their keys. */
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
  /** OpenAI: the bound over all tools that the provider runs. */
  readonly maxProviderCalls?: number
  /** Makes it the closing call. */
  readonly closing?: ClosingEdit
}

/** This text is added, and no tool may be used unless a form is forced. */
export interface ClosingEdit {
  readonly text: string
  /** What a tool call that has no result is answered with, at an edge where there may be one. */
  readonly notRun?: string
  readonly withoutTools?: boolean
  /** How many of the oldest tool results are left out. */
  readonly resultsLeftOut?: number
}
