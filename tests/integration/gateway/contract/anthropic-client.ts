import { base64, type Json, readArguments, SCHEMA } from './json.ts'
import type { WireAnswer, WireClient } from './wire-client.ts'

/** Anthropic Messages. */
export const ANTHROPIC_CLIENT: WireClient = {
  path: '/anthropic/v1/messages',
  headers: (name) => ({ 'x-api-key': name, 'anthropic-version': '2023-06-01' }),
  begin: ({ prompt, files = [] }) => [
    {
      role: 'user',
      content: [
        ...files.map(({ mediaType, data }) => ({
          type: 'document',
          source: { type: 'base64', media_type: mediaType, data: base64(data) },
        })),
        { type: 'text', text: prompt },
      ],
    },
  ],
  body: ({ instructions, isStreaming, maxOutputTokens, maxWebSearches, modelId, thinkingBudget, tools }, messages) => ({
    model: modelId,
    max_tokens: maxOutputTokens,
    system: [{ type: 'text', text: instructions }],
    messages,
    tools: [
      ...tools.map(({ name }) => ({ name, description: `The tool ${name}.`, input_schema: SCHEMA })),
      ...(maxWebSearches === undefined
        ? []
        : [{ type: 'web_search_20250305', name: 'web_search', max_uses: maxWebSearches }]),
    ],
    ...(thinkingBudget === undefined ? {} : { thinking: { type: 'enabled', budget_tokens: thinkingBudget } }),
    ...(isStreaming ? { stream: true } : {}),
  }),
  readWhole: ({ content }) => answerOf(content),
  readEvents(events) {
    const blocks: { [field: string]: unknown }[] = []
    for (const { type, index, content_block, delta } of events) {
      if (type === 'content_block_start') blocks[index] = { ...content_block, json: '' }
      if (type !== 'content_block_delta') continue
      const block = blocks[index]!
      if (delta.type === 'text_delta') block.text += delta.text
      if (delta.type === 'thinking_delta') block.thinking += delta.thinking
      if (delta.type === 'signature_delta') block.signature = delta.signature
      if (delta.type === 'input_json_delta') block.json += delta.partial_json
    }
    return answerOf(
      blocks.map(({ json, ...block }) => (/tool_use$/.test(String(block.type)) ? withInput(block, json) : block)),
    )
  },
  results: (results) => [
    {
      role: 'user',
      content: results.map(({ id, text, isError }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: text,
        ...(isError ? { is_error: true } : {}),
      })),
    },
  ],
}

function withInput(block: Json, json: unknown): Json {
  return { ...block, input: readArguments(String(json)) }
}

function answerOf(content: readonly Json[]): WireAnswer {
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    calls: content.flatMap((block) =>
      block.type === 'tool_use' ? [{ id: block.id, name: block.name, arguments: block.input }] : [],
    ),
    added: [{ role: 'assistant', content }],
  }
}
