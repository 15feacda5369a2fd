/** What a tool is called with beside its input, as far as we look. */
export interface ToolCallOptions {
  readonly toolCallId: string
  readonly abortSignal?: AbortSignal | undefined
}

/** A tool of the AI SDK as far as we look: one without `execute` is run by the caller or by the provider. */
export interface AnyTool {
  readonly execute?: unknown
}

export type AnyTools = Readonly<Record<string, AnyTool>>

export type Execute = (input: unknown, options: ToolCallOptions) => unknown

/** What is true of a tool beside what the AI SDK knows. */
export interface ToolDeclaration {
  /** It changes things, so that it is not stopped half way if that can be helped. */
  readonly changes?: boolean
  /** It is called again and again on purpose: the repeat guard leaves it alone. */
  readonly polls?: boolean
  /** It ends the work, e.g. a submission: it is not counted, and the loop stops after it. */
  readonly endsWork?: boolean
  /** It returns preliminary results, though it is no generator function itself: nobody can see that before it is called. */
  readonly showsProgress?: boolean
  readonly timeoutMs?: number
}
