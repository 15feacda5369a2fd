/** A tool of a request that its provider runs, as far as limits go. */
export interface ProviderRunTool {
  /** The most uses that the request names for it; `null`: it names none. */
  readonly maxUses: number | null
  /** Whether the request can bound it at all. */
  readonly isBoundable: boolean
  /** One figure of the request bounds it and all others like it together, as OpenAI's `max_tool_calls` does. */
  readonly isBoundTogether?: boolean
  readonly isWebSearch: boolean
  /** It searches in files that the provider keeps, for a fee. */
  readonly isFileSearch?: boolean
  /** The model itself brings it, once in each answer: it cannot be taken out. */
  readonly isBuiltIn?: boolean
  /** The request can list it and still forbid its use, as OpenAI's `allowed_tools` does. */
  readonly isForbiddable?: boolean
  /** It costs more than tokens and searches: a container, by the minute. */
  readonly hasOwnPrice?: boolean
  /** The most tokens that one use brings in, as the request bounds it; `null`: it could and does not. */
  readonly contentTokens?: number | null
}

export interface ProviderToolsQuestion {
  readonly tools: readonly ProviderRunTool[]
  /** The request also has tools that its client runs: one of the tool calls that are left is for those. */
  readonly hasClientTools: boolean
  /** Tools that no request can bound stay in it, though a limit counts them. */
  readonly allowsUnbounded?: boolean
  /** What the conversation's former requests listed. Left out or `null` at its first one, which decides it. */
  readonly listed?: ListedTools | null
}

/**
 * What a conversation lists of the tools that its provider runs. The list stands at the start of the prompt that the
 * provider caches, so it stays as it was at the first request, but for one change: bounds fall to a single use.
 */
export interface ListedTools {
  /** For each tool, in order: the bound that is written, `null` if it is left out, `undefined` if it is as it was. */
  readonly uses: PlannedProviderTools['uses']
  /** The same for what one use of it may bring in, where that is written. */
  readonly contentTokens: PlannedProviderTools['contentTokens']
  /** What one use of any of them brings in at most. */
  readonly resultTokens: number
}

/** What a provider reads beside the prompt when it runs tools within one request. */
export interface ProviderReading {
  /** All of it: the prompt again after each use, with what the uses before have brought in. */
  readonly tokens: number
  /** What all uses bring in. Later prompts may carry that, and never what was read again. */
  readonly resultTokens: number
}

/** How a request may use the tools that its provider runs, and what is to be reserved for them with the call. */
export interface PlannedProviderTools {
  /** For each tool, in order: the bound to write, `null` to take it out, `undefined` to leave it as it is. */
  readonly uses: readonly (number | null | undefined)[]
  /** For each tool: it stays listed, and the request says that it may not be used. */
  readonly isForbidden: readonly boolean[]
  /** For each tool: the most that one use of it may bring in, where that is to be written. */
  readonly contentTokens: readonly (number | undefined)[]
  /** The bound over all that are bound together; `null` where nothing is to be written. */
  readonly usesTogether: number | null
  readonly toolCalls: number
  readonly webSearches: number
  readonly fileSearches: number
  readonly reading: ProviderReading
  /** For the next request of the conversation; `null` where no limit counts the tools. */
  readonly listed: ListedTools | null
}
