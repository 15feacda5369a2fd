import { base64, type Json, readArguments, SCHEMA } from './json.ts'
import type { WireAnswer, WireClient } from './wire-client.ts'

/** OpenAI Chat Completions. */
export const CHAT_CLIENT: WireClient = {
  path: '/openai/v1/chat/completions',
  headers: (name) => ({ authorization: `Bearer ${name}` }),
  begin: ({ instructions, prompt, files = [] }) => [
    { role: 'system', content: instructions },
    {
      role: 'user',
      content:
        files.length === 0
          ? prompt
          : [
              ...files.map(({ mediaType, data }) => ({
                type: 'file',
                file: { filename: 'shown', file_data: `data:${mediaType};base64,${base64(data)}` },
              })),
              { type: 'text', text: prompt },
            ],
    },
  ],
  body: ({ isStreaming, maxOutputTokens, modelId, tools }, messages) => ({
    model: modelId,
    max_completion_tokens: maxOutputTokens,
    messages,
    tools: tools.map(({ name }) => ({
      type: 'function',
      function: { name, description: `The tool ${name}.`, parameters: SCHEMA },
    })),
    ...(isStreaming ? { stream: true } : {}),
  }),
  readWhole: ({ choices }) => answerOf(choices[0].message.content ?? '', choices[0].message.tool_calls ?? []),
  readEvents(events) {
    let text = ''
    const calls: { id: string; type: 'function'; function: { name: string; arguments: string } }[] = []
    for (const { choices } of events) {
      const delta = choices?.[0]?.delta ?? {}
      text += delta.content ?? ''
      for (const { index, id, function: part } of delta.tool_calls ?? []) {
        calls[index] ??= { id, type: 'function', function: { name: part.name, arguments: '' } }
        calls[index].function.arguments += part.arguments ?? ''
      }
    }
    return answerOf(text, calls)
  },
  results: (results) => results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text })),
}

function answerOf(text: string, calls: readonly Json[]): WireAnswer {
  return {
    text,
    calls: calls.map(({ id, function: called }) => ({
      id,
      name: called.name,
      arguments: readArguments(called.arguments),
    })),
    added: [{ role: 'assistant', content: text, ...(calls.length === 0 ? {} : { tool_calls: calls }) }],
  }
}
