/** The arguments of a tool call besides its input, as far as we use them. */
export interface ToolCallOptions {
  readonly toolCallId: string
  readonly abortSignal?: AbortSignal | undefined
}

/** The part of an AI SDK tool that we use: one without `execute` is run by the caller or the provider. */
export interface AnyTool {
  readonly execute?: unknown
}

export type AnyTools = Readonly<Record<string, AnyTool>>

export type Execute = (input: unknown, options: ToolCallOptions) => unknown

/** Properties of a tool that the AI SDK does not know. */
export interface ToolDeclaration {
  /** It has side effects, so it is not stopped halfway if that can be avoided. */
  readonly changes?: boolean
  /** It is called repeatedly on purpose: the repeat guard ignores it. */
  readonly polls?: boolean
  /** It ends the work, e.g. a submission: it is not counted, and the loop stops after it. */
  readonly endsWork?: boolean
  /** It returns preliminary results without being a generator function, which is not visible before it is called. */
  readonly showsProgress?: boolean
  readonly timeoutMs?: number
}
