/** A request as an agent sends it: system prompt, tools, and two tool results after the last answer. */
export const AGENT_REQUEST = {
  model: 'gpt-5-mini',
  messages: [
    { role: 'developer', content: 'You are a careful agent.' },
    { role: 'user', content: [{ type: 'text', text: 'Read both files.' }] },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'call_a', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
        { id: 'call_b', type: 'function', function: { name: 'read', arguments: '{"path":"b"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_a', content: 'alpha' },
    { role: 'tool', tool_call_id: 'call_b', content: [{ type: 'text', text: 'beta' }] },
  ],
  tools: [
    {
      type: 'function',
      function: { name: 'read', description: 'Reads a file.', parameters: { type: 'object', properties: {} } },
    },
  ],
  max_completion_tokens: 4096,
  stream: true,
}

const HEAD = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-5-mini' }

export function chunk(choices: readonly object[], more: object = {}): string {
  return `data: ${JSON.stringify({ ...HEAD, choices, ...more })}\n\n`
}

export function choice(delta: object, finishReason: string | null = null, index = 0): object {
  return { index, delta, logprobs: null, finish_reason: finishReason }
}

export const USAGE = {
  prompt_tokens: 100,
  completion_tokens: 20,
  total_tokens: 120,
  prompt_tokens_details: { cached_tokens: 60, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 8 },
}

/** As OpenAI streams an answer that calls tools: the id and the name only in the first piece of each call. */
export function callStream(calls: number, text = ''): string {
  const chunks = [chunk([choice({ role: 'assistant', content: text === '' ? null : '', refusal: null })])]
  if (text !== '') for (const word of text.split(/(?= )/)) chunks.push(chunk([choice({ content: word })]))
  for (let index = 0; index < calls; index++) {
    const first = { index, id: `call_${index}`, type: 'function', function: { name: `tool${index}`, arguments: '' } }
    chunks.push(chunk([choice({ tool_calls: [first] })]))
    for (const piece of ['{"path"', `:"${index}"}`]) {
      chunks.push(chunk([choice({ tool_calls: [{ index, function: { arguments: piece } }] })]))
    }
  }
  chunks.push(chunk([choice({}, calls > 0 ? 'tool_calls' : 'stop')]))
  return chunks.join('')
}

export function endOfStream(usage: unknown = USAGE): string {
  return `${usage === null ? '' : chunk([], { usage })}data: [DONE]\n\n`
}

/** The same as one object. */
export function callAnswer(calls: number, text: string | null = null, more: object = {}): string {
  const toolCalls = Array.from({ length: calls }, (_, index) => ({
    id: `call_${index}`,
    type: 'function',
    function: { name: `tool${index}`, arguments: `{"path":"${index}"}` },
  }))
  const message = { role: 'assistant', content: text, refusal: null, ...(calls > 0 ? { tool_calls: toolCalls } : {}) }
  const answered = { index: 0, message, logprobs: null, finish_reason: calls > 0 ? 'tool_calls' : 'stop' }
  return JSON.stringify({ ...HEAD, object: 'chat.completion', choices: [answered], usage: USAGE, ...more }, null, 1)
}
