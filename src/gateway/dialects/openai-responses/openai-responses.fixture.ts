/** A request as Codex sends it: everything in the body, nothing stored, tools of several kinds. */
export const AGENT_REQUEST = {
  model: 'gpt-5-codex',
  instructions: 'You are a careful agent.',
  input: [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Sandbox: off.' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Read both files.' }] },
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'AAAA' },
    { type: 'function_call', call_id: 'call_a', name: 'read', arguments: '{"path":"a"}' },
    { type: 'custom_tool_call', call_id: 'call_b', name: 'exec', input: 'cat b' },
    { type: 'function_call_output', call_id: 'call_a', output: 'alpha' },
    { type: 'custom_tool_call_output', call_id: 'call_b', output: [{ type: 'input_text', text: 'beta' }] },
  ],
  tools: [
    { type: 'function', name: 'read', strict: false, parameters: { type: 'object', properties: {} } },
    { type: 'custom', name: 'exec', format: { type: 'text' } },
    { type: 'local_shell' },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning: { effort: 'high', summary: 'auto' },
  store: false,
  stream: true,
  include: ['reasoning.encrypted_content'],
}

export const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 60, cache_write_tokens: 0 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 8 },
  total_tokens: 120,
}

export interface ScriptedOutput {
  readonly text?: string
  readonly calls?: number
  readonly more?: readonly object[]
  readonly usage?: unknown
  readonly end?: 'response.completed' | 'response.incomplete' | 'response.failed'
  readonly response?: object
}

/** The items of an answer: reasoning, a message if there is text, calls of two kinds, and any others. */
function itemsOf({ text, calls = 0, more = [] }: ScriptedOutput): readonly Record<string, unknown>[] {
  const message = {
    id: 'msg_1',
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
  }
  const callItems = Array.from({ length: calls }, (_, index) =>
    index % 2 === 0
      ? {
          id: `fc_${index}`,
          type: 'function_call',
          status: 'completed',
          call_id: `call_${index}`,
          name: 'read',
          arguments: '{"a":1}',
        }
      : {
          id: `ctc_${index}`,
          type: 'custom_tool_call',
          status: 'completed',
          call_id: `call_${index}`,
          name: 'exec',
          input: 'ls',
        },
  )
  return [
    { id: 'rs_2', type: 'reasoning', summary: [] },
    ...(text === undefined ? [] : [message]),
    ...callItems,
    ...more,
  ] as Record<string, unknown>[]
}

export function responseOf(script: ScriptedOutput): object {
  const { usage = USAGE, end = 'response.completed', response = {} } = script
  const status = end.slice('response.'.length)
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status,
    model: 'gpt-5-codex',
    output: itemsOf(script),
    error: null,
    incomplete_details: null,
    usage,
    ...response,
  }
}

/** As OpenAI streams it: every event is numbered, and everything is repeated at the end. */
export function eventsOf(script: ScriptedOutput): readonly Record<string, unknown>[] {
  const begun = { ...responseOf(script), status: 'in_progress', output: [], usage: null }
  const events: Record<string, unknown>[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
  ]
  itemsOf(script).forEach((item, index) => {
    const at = { output_index: index }
    const inside = { item_id: item.id, ...at }
    events.push({
      type: 'response.output_item.added',
      ...at,
      item: { ...item, status: 'in_progress', ...(item.type === 'message' ? { content: [] } : {}) },
    })
    if (item.type === 'message') {
      const part = { type: 'output_text', text: script.text, annotations: [], logprobs: [] }
      const content = { ...inside, content_index: 0 }
      events.push({ type: 'response.content_part.added', ...content, part: { ...part, text: '' } })
      for (const delta of script.text!.split(/(?= )/)) {
        events.push({ type: 'response.output_text.delta', ...content, delta, logprobs: [] })
      }
      events.push({ type: 'response.output_text.done', ...content, text: script.text, logprobs: [] })
      events.push({ type: 'response.content_part.done', ...content, part })
    }
    const [delta, done] =
      item.type === 'function_call'
        ? [
            'response.function_call_arguments.delta',
            { type: 'response.function_call_arguments.done', arguments: item.arguments, name: item.name },
          ]
        : item.type === 'custom_tool_call'
          ? [
              'response.custom_tool_call_input.delta',
              { type: 'response.custom_tool_call_input.done', input: item.input },
            ]
          : []
    if (done !== undefined) {
      events.push({ type: delta, ...inside, delta: item.arguments ?? item.input })
      events.push({ ...inside, ...done })
    }
    events.push({ type: 'response.output_item.done', ...at, item })
  })
  events.push({ type: script.end ?? 'response.completed', response: responseOf(script) })
  return events.map((event, index) => ({ ...event, sequence_number: index }))
}

export function streamOf(events: readonly Record<string, unknown>[]): string {
  return events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}
