import type Anthropic from '@anthropic-ai/sdk'
import type OpenAI from 'openai'

export const WIRES = ['anthropic-messages', 'openai-chat', 'openai-responses'] as const
export type Wire = (typeof WIRES)[number]

/** What an agent did: plain loops over the official SDKs, which end when the model calls no tool. */
export interface AgentRun {
  readonly toolRuns: number
  readonly requests: number
  readonly text: string
  /** Why its last answer ended, in the provider's own word. */
  readonly stop: string | null
  readonly error: (Error & { readonly status?: number }) | null
  /** The ids of its tool calls, in order. */
  readonly toolCallIds: readonly string[]
}

export interface AgentOptions {
  readonly isStream?: boolean
  readonly mostRounds?: number
  readonly model?: string
  readonly maxTokens?: number
  readonly thinkingBudget?: number
  readonly task?: string
  /** Its requests also list a search that the provider runs, with this bound where the dialect has one for each. */
  readonly searches?: number
  /** What its tool returns. */
  readonly result?: (call: number) => string
  readonly headers?: Record<string, string>
}

interface Clients {
  anthropic(): Anthropic
  openai(): OpenAI
}

interface Step {
  readonly text: string
  readonly stop: string | null
  readonly calls: readonly string[]
}

const SEARCH = { type: 'web_search_20250305', name: 'web_search' } as const
const schema = { type: 'object', properties: { step: { type: 'number' } } } as const

/** Runs an agent until it has its answer, is refused, or has made too many rounds. */
export async function runAgent(clients: Clients, wire: Wire, options: AgentOptions = {}): Promise<AgentRun> {
  const { mostRounds = 40, result = (call) => `result ${call}` } = options
  const step = STEPS[wire](clients, options)
  const toolCallIds: string[] = []
  let results: { id: string; text: string }[] = []
  let requests = 0
  for (; requests < mostRounds; ) {
    requests++
    let answer: Step
    try {
      answer = await step(results)
    } catch (error) {
      return { toolRuns: toolCallIds.length, requests, text: '', stop: null, error: error as Error, toolCallIds }
    }
    results = answer.calls.map((id) => ({ id, text: result(toolCallIds.push(id)) }))
    if (answer.calls.length === 0) {
      return { toolRuns: toolCallIds.length, requests, text: answer.text, stop: answer.stop, error: null, toolCallIds }
    }
  }
  return {
    toolRuns: toolCallIds.length,
    requests,
    text: '',
    stop: null,
    error: new Error('too many rounds'),
    toolCallIds,
  }
}

type NextStep = (results: readonly { id: string; text: string }[]) => Promise<Step>

const STEPS: Readonly<Record<Wire, (clients: Clients, options: AgentOptions) => NextStep>> = {
  'anthropic-messages': (clients, options) => {
    const client = clients.anthropic()
    const { isStream = false, maxTokens = 1_000, thinkingBudget, headers = {}, task = 'go' } = options
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: task }]
    return async (results) => {
      if (results.length > 0) {
        const content = results.map(({ id, text }) => ({
          type: 'tool_result' as const,
          tool_use_id: id,
          content: text,
        }))
        messages.push({ role: 'user', content })
      }
      const request = {
        model: options.model ?? 'claude-haiku-5-5',
        max_tokens: maxTokens,
        messages,
        tools: [
          { name: 'look', input_schema: { ...schema } },
          ...(options.searches === undefined ? [] : [{ ...SEARCH, max_uses: options.searches }]),
        ],
        ...(thinkingBudget === undefined
          ? {}
          : { thinking: { type: 'enabled', budget_tokens: thinkingBudget } as const }),
      }
      const answer = isStream
        ? await client.messages.stream(request, { headers }).finalMessage()
        : await client.messages.create(request, { headers })
      messages.push({ role: 'assistant', content: answer.content })
      return {
        text: answer.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
        stop: answer.stop_reason,
        calls: answer.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])),
      }
    }
  },
  'openai-chat': (clients, options) => {
    const client = clients.openai()
    const { isStream = false, maxTokens = 1_000, headers = {}, task = 'go' } = options
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: task }]
    return async (results) => {
      for (const { id, text } of results) messages.push({ role: 'tool', tool_call_id: id, content: text })
      const request = {
        model: options.model ?? 'gpt-4.1',
        max_completion_tokens: maxTokens,
        messages,
        tools: [
          { type: 'function' as const, function: { name: 'look', parameters: schema } },
          ...(options.searches === undefined ? [] : [{ type: 'x_search' } as never]),
        ],
      }
      const answer = isStream
        ? await client.chat.completions.stream(request, { headers }).finalChatCompletion()
        : await client.chat.completions.create(request, { headers })
      const { message, finish_reason: stop } = answer.choices[0]!
      messages.push(message as OpenAI.ChatCompletionMessageParam)
      return { text: message.content ?? '', stop, calls: message.tool_calls?.map(({ id }) => id) ?? [] }
    }
  },
  'openai-responses': (clients, options) => {
    const client = clients.openai()
    const { isStream = false, maxTokens = 1_000, headers = {}, task = 'go' } = options
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: task }]
    return async (results) => {
      for (const { id, text } of results) input.push({ type: 'function_call_output', call_id: id, output: text })
      const request = {
        model: options.model ?? 'gpt-4.1',
        max_output_tokens: maxTokens,
        input,
        tools: [
          ...(options.searches === undefined ? [] : [{ type: 'web_search' as const }]),
          { type: 'function' as const, name: 'look', parameters: { ...schema }, strict: false },
        ],
      }
      const answer = isStream
        ? await client.responses.stream(request, { headers }).finalResponse()
        : await client.responses.create(request, { headers })
      input.push(...(answer.output as OpenAI.Responses.ResponseInput))
      return {
        text: answer.output_text,
        stop: answer.status ?? null,
        calls: answer.output.flatMap((item) => (item.type === 'function_call' ? [item.call_id] : [])),
      }
    }
  },
}
