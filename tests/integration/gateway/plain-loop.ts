// An agent loop in plain fetch, as a script of anybody's: it sends its whole conversation, runs the tool that the model
// calls, and ends with the first answer that calls none. It imports nothing, so that a program can be made of it.

export type PlainWire = 'anthropic-messages' | 'openai-chat' | 'openai-responses'

export interface PlainLoopOptions {
  readonly wire: PlainWire
  /** In front of `/v1/messages`; of the others in front of `/chat/completions` and `/responses`. */
  readonly baseUrl: string
  /** What its system prompt and its twelve tools have together. */
  readonly promptBytes: number
  /** Anthropic: whether it marks its prompt, and whether it thinks. */
  readonly isMarked?: boolean
  readonly thinks?: boolean
  readonly headers?: Readonly<Record<string, string>>
  /** What its tool returns. */
  readonly result?: string
  readonly mostRounds?: number
}

export interface PlainRun {
  /** What it would print: the text of its last answer. */
  readonly text: string
  readonly toolRuns: number
  /** The refusal that ended it; `null`: it was answered to the end. */
  readonly refusal: { readonly status: number; readonly message: string } | null
}

interface Json {
  // biome-ignore lint/suspicious/noExplicitAny: what a script does with JSON.
  readonly [field: string]: any
}

interface PlainDialect {
  readonly path: string
  body(conversation: readonly Json[], options: PlainLoopOptions): Json
  /** What an answer adds to the conversation, its text and its calls. */
  read(body: string): { readonly added: readonly Json[]; readonly text: string; readonly callIds: readonly string[] }
  result(callIds: readonly string[], text: string): readonly Json[]
}

const TOOL_COUNT = 12
const KEYS = { 'x-api-key': 'made-up', authorization: 'Bearer made-up', 'anthropic-version': '2023-06-01' }

/** Runs the loop until it has its answer, is refused, or has made too many rounds. */
export async function runPlainLoop(options: PlainLoopOptions): Promise<PlainRun> {
  const { wire, baseUrl, headers = {}, result = 'ok', mostRounds = 2_000 } = options
  const dialect = DIALECTS[wire]
  const conversation: Json[] = [{ role: 'user', content: 'count for ever' }]
  let toolRuns = 0
  for (let round = 0; round < mostRounds; round++) {
    const response = await fetch(baseUrl + dialect.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...KEYS, ...headers },
      body: JSON.stringify(dialect.body(conversation, options)),
    })
    const body = await response.text()
    if (!response.ok) return { text: '', toolRuns, refusal: { status: response.status, message: messageIn(body) } }
    const { added, text, callIds } = dialect.read(body)
    if (callIds.length === 0) return { text, toolRuns, refusal: null }
    conversation.push(...added, ...dialect.result(callIds, result))
    toolRuns += callIds.length
  }
  return { text: '', toolRuns, refusal: { status: 0, message: `still going after ${mostRounds} rounds` } }
}

function messageIn(body: string): string {
  try {
    return JSON.parse(body).error.message
  } catch {
    return body
  }
}

/** Text of so many bytes that says something new in every line. */
function prose(bytes: number): string {
  const lines: string[] = []
  for (let length = 0, line = 0; length < bytes; line++) {
    lines.push(`Rule ${line}: read before you write, and say what you found.`)
    length += lines[line]!.length + 1
  }
  return lines.join('\n').slice(0, bytes)
}

const SCHEMA = { type: 'object', properties: { step: { type: 'number' } } }

function toolsOf(bytes: number): readonly { readonly name: string; readonly description: string }[] {
  return Array.from({ length: TOOL_COUNT }, (_, place) => ({
    name: place === 0 ? 'look' : `other_${place}`,
    description: prose(Math.floor((bytes * 0.7) / TOOL_COUNT)),
  }))
}

const systemOf = (bytes: number): string => prose(Math.floor(bytes * 0.3))

/** The data of the events of a stream. */
function eventsIn(body: string): readonly Json[] {
  return body
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)))
}

const MARK = { cache_control: { type: 'ephemeral' } }

const ANTHROPIC: PlainDialect = {
  path: '/v1/messages',
  body(conversation, { promptBytes, isMarked = false, thinks = false }) {
    const last = conversation.at(-1)!
    const blocks = typeof last.content === 'string' ? [{ type: 'text', text: last.content }] : last.content
    const marked = { ...last, content: [...blocks.slice(0, -1), { ...blocks.at(-1), ...MARK }] }
    return {
      model: 'claude-sonnet-4-5',
      max_tokens: 32_000,
      ...(thinks ? { thinking: { type: 'enabled', budget_tokens: 31_999 } } : {}),
      system: [{ type: 'text', text: systemOf(promptBytes), ...(isMarked ? MARK : {}) }],
      tools: toolsOf(promptBytes).map((tool) => ({ ...tool, input_schema: SCHEMA })),
      messages: isMarked ? [...conversation.slice(0, -1), marked] : conversation,
      stream: true,
    }
  },
  read(body) {
    const blocks: { [field: string]: string }[] = []
    for (const { type, index, content_block, delta } of eventsIn(body)) {
      if (type === 'content_block_start') blocks[index] = { ...content_block, json: '' }
      if (type !== 'content_block_delta') continue
      const block = blocks[index]!
      if (delta.type === 'text_delta') block.text += delta.text
      if (delta.type === 'thinking_delta') block.thinking += delta.thinking
      if (delta.type === 'signature_delta') block.signature = delta.signature
      if (delta.type === 'input_json_delta') block.json += delta.partial_json
    }
    const content = blocks.map(({ json, ...block }) =>
      block.type === 'tool_use' ? { ...block, input: JSON.parse(json || '{}') } : block,
    )
    return {
      added: [{ role: 'assistant', content }],
      text: blocks.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      callIds: blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id!] : [])),
    }
  },
  result: (callIds, text) => [
    { role: 'user', content: callIds.map((id) => ({ type: 'tool_result', tool_use_id: id, content: text })) },
  ],
}

const RESPONSES: PlainDialect = {
  path: '/responses',
  body: (conversation, { promptBytes }) => ({
    model: 'gpt-5',
    instructions: systemOf(promptBytes),
    tools: toolsOf(promptBytes).map((tool) => ({ type: 'function', ...tool, parameters: SCHEMA, strict: false })),
    input: conversation,
    reasoning: { effort: 'medium' },
    store: false,
    stream: true,
  }),
  read(body) {
    const end = eventsIn(body).findLast(({ type }) => /^response\.(completed|incomplete)$/.test(type))
    const output: readonly Json[] = end?.response.output ?? []
    return {
      added: output,
      text: output.flatMap((item) => (item.type === 'message' ? [item.content[0].text] : [])).join(''),
      callIds: output.flatMap((item) => (item.type === 'function_call' ? [item.call_id] : [])),
    }
  },
  result: (callIds, text) => callIds.map((id) => ({ type: 'function_call_output', call_id: id, output: text })),
}

const CHAT: PlainDialect = {
  path: '/chat/completions',
  body: (conversation, { promptBytes }) => ({
    model: 'gpt-4.1',
    max_completion_tokens: 16_384,
    tools: toolsOf(promptBytes).map((tool) => ({ type: 'function', function: { ...tool, parameters: SCHEMA } })),
    messages: [{ role: 'system', content: systemOf(promptBytes) }, ...conversation],
  }),
  read(body) {
    const { message } = JSON.parse(body).choices[0]
    const calls: readonly Json[] = message.tool_calls ?? []
    return { added: [message], text: message.content ?? '', callIds: calls.map(({ id }) => id) }
  },
  result: (callIds, text) => callIds.map((id) => ({ role: 'tool', tool_call_id: id, content: text })),
}

const DIALECTS: Readonly<Record<PlainWire, PlainDialect>> = {
  'anthropic-messages': ANTHROPIC,
  'openai-chat': CHAT,
  'openai-responses': RESPONSES,
}
