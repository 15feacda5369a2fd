/** The part of an AI SDK agent that we use: a `ToolLoopAgent`, or anything else that runs a loop. */
export interface AnyAgent {
  generate(options: never): PromiseLike<unknown>
  stream?(options: never): PromiseLike<unknown>
}

/** What an agent is run with: a prompt, or everything that its `generate` and `stream` accept. */
export type RunInput =
  | string
  | {
      readonly prompt?: unknown
      readonly messages?: readonly unknown[]
      readonly abortSignal?: AbortSignal
      /** Streams, and calls this with every part. `true` streams without a callback. */
      readonly stream?: boolean | ((part: unknown) => void)
      readonly [setting: string]: unknown
    }

/** The result of an agent. */
export interface AgentAnswer {
  readonly output: unknown
  readonly text: string
  /** The messages that it and its tools added; `null` if the agent does not say. */
  readonly messages: readonly unknown[] | null
}

interface AgentResult {
  readonly text?: unknown
  readonly output?: unknown
  readonly fullStream?: AsyncIterable<unknown>
  /** In version 6 of the AI SDK this has the messages of all steps, in version 7 only those of the last. */
  readonly response?: PromiseLike<{ readonly messages?: unknown }> | { readonly messages?: unknown }
  readonly responseMessages?: unknown
}

/** Runs an agent to its end, streaming or not. Throws the error that ended it, including one inside a stream. */
export async function runAgent(agent: AnyAgent, input: RunInput): Promise<AgentAnswer> {
  const { stream = false, ...options } = typeof input === 'string' ? { prompt: input } : input
  if (stream === false) return answerOf((await agent.generate(options as never)) as AgentResult)
  if (agent.stream === undefined) throw new TypeError('The agent cannot stream.')
  const result = (await agent.stream(options as never)) as AgentResult
  await readAll(result, stream === true ? () => {} : (stream as (part: unknown) => void))
  return answerOf(result)
}

async function readAll({ fullStream }: AgentResult, onPart: (part: unknown) => void): Promise<void> {
  let failure: { readonly error: unknown } | null = null
  for await (const part of fullStream ?? []) {
    onPart(part)
    const { type, error, reason } = part as {
      readonly type?: string
      readonly error?: unknown
      readonly reason?: unknown
    }
    if (type === 'error') failure ??= { error }
    if (type === 'abort') failure ??= { error: reason ?? new Error('The agent was aborted.') }
  }
  if (failure !== null) throw failure.error
}

async function answerOf(result: AgentResult): Promise<AgentAnswer> {
  const text = await result.text
  const plain = typeof text === 'string' ? text : ''
  const messages = (await result.responseMessages) ?? (await result.response)?.messages
  return { output: await outputOf(result, plain), text: plain, messages: Array.isArray(messages) ? messages : null }
}

/** Throws if there is a structured output that cannot be read. Without one, returns the text. */
async function outputOf(result: AgentResult, text: string): Promise<unknown> {
  try {
    return (await result.output) ?? text
  } catch (error) {
    if ((error as { readonly name?: unknown } | null)?.name === 'AI_NoOutputGeneratedError') return text
    throw error
  }
}
