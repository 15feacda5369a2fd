import type { Answer, AnswerToolCall } from '../../answer/answer.ts'
import { type JsonObject, objectOf } from '../../json/json-value.ts'

export type OutputItem = JsonObject & { readonly type: string; readonly id: string }

/** The model's output items, in order. */
export function outputItems({ choices, serial }: Answer): readonly OutputItem[] {
  const { thinking, webSearches, text, toolCalls, stop } = choices[0]!
  const items: OutputItem[] = []
  if (thinking !== null) {
    items.push({ type: 'reasoning', id: `rs_${serial}`, summary: [{ type: 'summary_text', text: thinking.text }] })
  }
  for (let search = 1; search <= webSearches; search++) {
    const action = { type: 'search', query: `search ${search}`, sources: null }
    items.push({ type: 'web_search_call', id: `ws_${serial}_${search}`, status: 'completed', action })
  }
  const isCut = stop === 'length' && toolCalls.length === 0
  if (text !== '' || (toolCalls.length === 0 && !isCut)) {
    items.push({
      type: 'message',
      id: `msg_${serial}`,
      role: 'assistant',
      status: isCut ? 'incomplete' : 'completed',
      content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
    })
  }
  return [...items, ...toolCalls.map((call, at) => callItem(call, serial, at + 1))]
}

function callItem({ id, name, kind, arguments: written }: AnswerToolCall, serial: string, place: number): OutputItem {
  const call_id = id ?? `call_${serial}_${place}`
  const own = `${serial}_${place}`
  if (kind === 'custom') return { type: 'custom_tool_call', id: `ctc_${own}`, call_id, name, input: written }
  if (kind !== 'local_shell') {
    return { type: 'function_call', id: `fc_${own}`, call_id, name, arguments: written, status: 'completed' }
  }
  const action = { type: 'exec', command: [], env: {}, ...objectOf(JSON.parse(written)) }
  return { type: 'local_shell_call', id: `lsh_${own}`, call_id, action, status: 'completed' }
}
