import { base64, type Json, readArguments, SCHEMA } from './json.ts'
import type { WireAnswer, WireClient } from './wire-client.ts'

/** OpenAI Responses, with the conversation kept by the client. */
export const RESPONSES_CLIENT: WireClient = {
  path: '/openai/v1/responses',
  headers: (name) => ({ authorization: `Bearer ${name}` }),
  begin: ({ prompt, files = [] }) => [
    {
      role: 'user',
      content: [
        ...files.map(({ mediaType, data }) => ({
          type: 'input_file',
          filename: 'shown',
          file_data: `data:${mediaType};base64,${base64(data)}`,
        })),
        { type: 'input_text', text: prompt },
      ],
    },
  ],
  body: ({ instructions, isStreaming, maxOutputTokens, maxWebSearches, modelId, tools }, input) => ({
    model: modelId,
    max_output_tokens: maxOutputTokens,
    instructions,
    input,
    tools: [
      ...tools.map(({ name }) => ({
        type: 'function',
        name,
        description: `The tool ${name}.`,
        parameters: SCHEMA,
        strict: false,
      })),
      ...(maxWebSearches === undefined ? [] : [{ type: 'web_search' }]),
    ],
    ...(maxWebSearches === undefined ? {} : { max_tool_calls: maxWebSearches }),
    store: false,
    ...(isStreaming ? { stream: true } : {}),
  }),
  readWhole: ({ output }) => answerOf(output),
  readEvents(events) {
    const end = events.findLast(({ type }) => /^response\.(completed|incomplete)$/.test(type))
    if (end !== undefined) return answerOf(end.response.output)
    const text = events.map(({ type, delta }) => (type === 'response.output_text.delta' ? delta : '')).join('')
    return { text, calls: [], added: [] }
  },
  results: (results) => results.map(({ id, text }) => ({ type: 'function_call_output', call_id: id, output: text })),
}

function answerOf(output: readonly Json[]): WireAnswer {
  return {
    text: output
      .flatMap((item) => (item.type === 'message' ? item.content.map(({ text }: Json) => text) : []))
      .join(''),
    calls: output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ id: item.call_id, name: item.name, arguments: readArguments(item.arguments) }]
        : [],
    ),
    added: output,
  }
}
