import type { MediaFile, ProviderRunTool } from '../governor/edge.ts'
import type { CacheMark } from '../pricing/index.ts'

/** A request to a model as far as limits are concerned: what an edge reads from it, whatever its format. */
export interface RequestView {
  readonly model: string
  /** The length of the conversation, without the system prompt. */
  readonly messages: number
  /** The requested output cap; `null`: none, so the model's own maximum applies. */
  readonly maxOutputTokens: number | null
  readonly choices: number
  /** `null` if the model does not think, or nothing says how much. */
  readonly thinkingBudget: number | null
  /** The provider counts thinking in addition to the cap of the request. `maxOutputTokens` is the sum of both. */
  readonly thinksBesideCap?: boolean
  readonly cacheMark: CacheMark
  /** A price multiplier: a priority or fast tier that the request asks for. */
  readonly priceFactor: { readonly numerator: number; readonly denominator: number } | null
  /** Whether the model may call client-run tools. */
  readonly hasTools: boolean
  /** A tool call or a schema is forced: that format takes precedence over ours. */
  readonly isFormForced: boolean
  /** A call of a client-run tool is forced; a schema alone does not force one. */
  readonly forcesTool: boolean
  /** Provider-run tools, each with the bound that the request sets. */
  readonly providerTools: readonly ProviderTool[]
  /** The tool results in the conversation, in order. */
  readonly toolResults: readonly ToolResult[]
  /** How many of the last ones came after the model's last answer. */
  readonly newestResults: number
  /** Every editable text in them, starting with the result at this index. */
  resultTexts(fromResult?: number): readonly string[]
  /**
   * What was found in them, possibly by an earlier request that starts with the same ones. Written by `defusedResults`.
   */
  lookedThrough?: LookedThrough | null
  /** What the input estimate is made from. */
  prompt(): PromptParts
}

/** Tool results that were scanned. */
export interface LookedThrough {
  /** How many, from the first on. */
  readonly results: number
  /** Their texts that contain something like our hints, each with its defused replacement; may include later ones. */
  readonly defused: ReadonlyMap<string, string>
}

export interface ProviderTool extends ProviderRunTool {
  /** Its index in the request's list of tools, which edits refer to. */
  readonly index: number
}

export interface ToolResult {
  readonly toolCallId: string
  /** By `createResultKeys`. */
  readonly key: string
}

/** The prompt in parts, each with a digest that ignores changes without meaning (a cache mark that moves). */
export interface PromptParts {
  /** What precedes the messages, then each of them. */
  readonly parts: readonly PromptPart[]
  /** Whether one of them has media. */
  readonly hasMedia: boolean
  /** Anything else that changes how much of the same parts the provider reads: earlier counts do not apply then. */
  readonly variant: string
}

/** Identifies a prompt up to one of its messages. */
export interface ChainedDigest {
  /** Identifies everything before its messages. */
  readonly leading: string
  readonly digest: string
}

export interface PromptPart {
  readonly kind: 'system' | 'tools' | 'user' | 'assistant'
  readonly digest: string
  /**
   * Written by the estimate of one request for the next one with the same messages: such a message always has the same
   * ones before it. Left out: it is not a message, or is not repeated.
   */
  chained?: ChainedDigest | null
  /** The text that the model will read, which is what is counted. Computed only when needed. */
  text(): string
  readonly bytes: number
  /** Messages, message parts and tools in it, each of which takes a few tokens beyond its text. Default: 1. */
  readonly pieces?: number
  /** Images, documents and other media, by what is known of each. */
  readonly media: readonly MediaFile[]
  /** Of the tools: the kinds of provider-defined ones, and the total number of tools. */
  readonly tools?: { readonly toolCount: number; readonly definedTools: readonly string[] }
  /** It is a conversation stored at the provider, up to the answer with this `answerId`. */
  readonly heldAnswerId?: string
}

/** The hint on a tool result; neither text nor `null` if undecided. */
export interface HintsByKey {
  get(key: string): string | null | undefined
}

/** What Stint changes in a request. */
export interface RequestEdits {
  readonly maxOutputTokens?: number
  readonly thinkingBudget?: number
  /** OpenAI chat: ask for the usage chunk. */
  readonly includeUsage?: boolean
  /** The static budget line: a last system block without a cache mark. */
  readonly promptLine?: string
  /** What is added to tool results, by key. Once requested, it never changes for a result. */
  readonly hints?: HintsByKey
  /** Texts of tool results that contain something like our hints, each with its defused replacement. */
  readonly defused?: ReadonlyMap<string, string>
  readonly withoutParallelTools?: boolean
  /** Tools of `providerTools`, by index: the bound to write, or `null` to remove the tool. */
  readonly providerToolUses?: ReadonlyMap<number, number | null>
  /** OpenAI Responses: tools of `providerTools`, by index, that stay listed and may not be used. */
  readonly forbiddenTools?: ReadonlySet<number>
  /** Anthropic: the most tokens that one use of a tool may bring in, by index. */
  readonly providerToolContents?: ReadonlyMap<number, number>
  /** OpenAI: the bound over all provider-run tools. */
  readonly maxProviderCalls?: number
  /** Makes it the closing call. */
  readonly closing?: ClosingEdit
}

/** This text is added, and no tool may be used unless a format is forced. */
export interface ClosingEdit {
  readonly text: string
  /** The result for a tool call without one, at an edge where that can occur. */
  readonly notRun?: string
  readonly withoutTools?: boolean
  /** How many of the oldest tool results are left out. */
  readonly resultsLeftOut?: number
}
