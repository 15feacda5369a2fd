/** A tool of a request that its provider runs, as far as limits are concerned. */
export interface ProviderRunTool {
  /** The maximum number of uses in the request; `null`: it sets none. */
  readonly maxUses: number | null
  /** Whether the request can bound it at all. */
  readonly isBoundable: boolean
  /** One number in the request bounds it together with all similar ones, like OpenAI's `max_tool_calls`. */
  readonly isBoundTogether?: boolean
  readonly isWebSearch: boolean
  /** It searches files stored at the provider, for a fee. */
  readonly isFileSearch?: boolean
  /** Built into the model and used once per answer: it cannot be removed. */
  readonly isBuiltIn?: boolean
  /** The request can list it and still forbid its use, like OpenAI's `allowed_tools`. */
  readonly isForbiddable?: boolean
  /** It costs more than tokens and searches: a container, by the minute. */
  readonly hasOwnPrice?: boolean
  /** The most tokens that one use brings in, as bounded by the request; `null`: it could be bounded, but is not. */
  readonly contentTokens?: number | null
}

export interface ProviderToolsQuestion {
  readonly tools: readonly ProviderRunTool[]
  /** The request also has tools that its client runs: one of the remaining tool calls is kept for those. */
  readonly hasClientTools: boolean
  /** Tools that no request can bound stay in it, even though a limit counts them. */
  readonly allowsUnbounded?: boolean
  /** What the conversation's earlier requests listed. Left out or `null` at the first one, which decides it. */
  readonly listed?: ListedTools | null
}

/**
 * The provider-run tools that a conversation lists. The list is at the start of the prompt that the provider caches, so
 * it stays as in the first request, with one exception: bounds drop to a single use.
 */
export interface ListedTools {
  /** For each tool, in order: the bound that is written, `null` if it is left out, `undefined` if unchanged. */
  readonly uses: PlannedProviderTools['uses']
  /** The same for what one use of it may bring in, if that is written. */
  readonly contentTokens: PlannedProviderTools['contentTokens']
  /** The most tokens that one use of any of them brings in. */
  readonly resultTokens: number
}

/** What a provider reads in addition to the prompt when it runs tools within one request. */
export interface ProviderReading {
  /** All of it: the prompt again after each use, with the results of the uses before. */
  readonly tokens: number
  /** The results of all uses. Later prompts may carry these, but never the repeated reads. */
  readonly resultTokens: number
}

/** How a request may use its provider-run tools, and what to reserve for them with the call. */
export interface PlannedProviderTools {
  /** For each tool, in order: the bound to write, `null` to remove it, `undefined` to leave it unchanged. */
  readonly uses: readonly (number | null | undefined)[]
  /** For each tool: it stays listed, and the request says that it may not be used. */
  readonly isForbidden: readonly boolean[]
  /** For each tool: the most that one use of it may bring in, if that is to be written. */
  readonly contentTokens: readonly (number | undefined)[]
  /** The bound over all that are bound together; `null` if none is to be written. */
  readonly usesTogether: number | null
  readonly toolCalls: number
  readonly webSearches: number
  readonly fileSearches: number
  readonly reading: ProviderReading
  /** For the next request of the conversation; `null` if no limit counts the tools. */
  readonly listed: ListedTools | null
}
