import type { Answer } from '../../answer/answer.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { signatureOf } from './signature.ts'

export type Block =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly json: string }
  | { readonly type: 'server_tool_use'; readonly id: string; readonly name: string; readonly json: string }
  | { readonly type: 'web_search_tool_result'; readonly tool_use_id: string; readonly content: readonly JsonObject[] }

/** The content of an answer, in the order in which the model writes it. */
export function blocksOf({ choices, serial }: Answer): readonly Block[] {
  const { thinking, webSearches, text, toolCalls } = choices[0]!
  const blocks: Block[] = []
  if (thinking !== null) {
    blocks.push({ type: 'thinking', thinking: thinking.text, signature: signatureOf(thinking.text) })
  }
  for (let search = 1; search <= webSearches; search++) {
    const id = `srvtoolu_${serial}_${search}`
    blocks.push({ type: 'server_tool_use', id, name: 'web_search', json: `{"query":"search ${search}"}` })
    blocks.push({ type: 'web_search_tool_result', tool_use_id: id, content: [searchResult(search)] })
  }
  if (text !== '') blocks.push({ type: 'text', text })
  toolCalls.forEach((call, at) => {
    const id = call.id ?? `toolu_${serial}_${at + 1}`
    blocks.push({ type: 'tool_use', id, name: call.name, json: call.arguments })
  })
  return blocks
}

function searchResult(search: number): JsonObject {
  return {
    type: 'web_search_result',
    title: `Result ${search}`,
    url: `https://example.org/${search}`,
    encrypted_content: 'bm90aGluZw==',
    page_age: null,
  }
}

/** The stop reason. */
export function stopReasonOf({ choices }: Answer): string {
  return { end: 'end_turn', 'tool-calls': 'tool_use', length: 'max_tokens' }[choices[0]!.stop]
}
