import type { ScriptedFile, ScriptedMessage, ScriptedRequest } from '../../../../src/scripted/scripted-types.ts'
import type { ProviderRequest } from '../../../../src/testing/provider/index.ts'
import { type Json, readArguments } from './json.ts'

/** A request that came in over the wire, in no dialect's form. */
export function scriptedRequestOf(request: ProviderRequest): ScriptedRequest {
  const { body, dialect, askedOutputTokens, maxWebSearches, thinking } = request
  const tools = ((body.tools ?? []) as readonly Json[]).map((tool): { name: string } => ({
    ...tool,
    name: tool.function?.name ?? tool.name ?? tool.type,
  }))
  const choice = typeof request.toolChoice === 'string' ? request.toolChoice : 'required'
  return {
    messages: MESSAGES[dialect](body as Json),
    ...(tools.length === 0 ? {} : { tools, toolChoice: choice }),
    ...(askedOutputTokens === null ? {} : { maxOutputTokens: askedOutputTokens }),
    ...(thinking === null ? {} : { thinking }),
    ...(maxWebSearches === 0 ? {} : { maxWebSearches: Math.min(maxWebSearches, Number.MAX_SAFE_INTEGER) }),
  }
}

const MESSAGES: Readonly<Record<ProviderRequest['dialect'], (body: Json) => readonly ScriptedMessage[]>> = {
  'anthropic-messages': ({ system = [], messages }) => [
    { role: 'system', content: textIn(system, '\n\n') },
    ...messages.flatMap(({ role, content }: Json) => (role === 'assistant' ? saidIn(content) : heardIn(content))),
  ],
  'openai-chat': ({ messages }) => joinSystem(messages.map(chatMessage)),
  'openai-responses': ({ instructions, input }) =>
    joinCalls(joinSystem([{ role: 'system', content: instructions ?? '' }, ...input.flatMap(itemMessage)])),
}

/** What a model reads as one: the texts of some parts. */
function textIn(content: string | readonly Json[], separator = ''): string {
  if (typeof content === 'string') return content
  return content.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join(separator)
}

function saidIn(content: readonly Json[]): readonly ScriptedMessage[] {
  const toolCalls = content.flatMap(({ type, id, name, input }) =>
    type === 'tool_use' ? [{ id, name, arguments: input }] : [],
  )
  return [{ role: 'assistant', content: textIn(content), ...(toolCalls.length === 0 ? {} : { toolCalls }) }]
}

/** Tool results, and what the user says behind them. */
function heardIn(content: string | readonly Json[]): readonly ScriptedMessage[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const results = blocks.flatMap((block: Json): readonly ScriptedMessage[] =>
    block.type === 'tool_result'
      ? [{ role: 'tool', toolCallId: block.tool_use_id, content: textIn(block.content) }]
      : [],
  )
  const rest = blocks.filter(({ type }) => type !== 'tool_result')
  return rest.length === 0 ? results : [...results, userMessage(rest)]
}

function userMessage(content: string | readonly Json[]): ScriptedMessage {
  const files = typeof content === 'string' ? [] : content.flatMap(fileIn)
  return { role: 'user', content: textIn(content), ...(files.length === 0 ? {} : { files }) }
}

function fileIn({ source, file, file_data }: Json): readonly ScriptedFile[] {
  const url: string | undefined = file?.file_data ?? file_data
  const mediaType = source?.media_type ?? url?.slice('data:'.length, url.indexOf(';'))
  return mediaType === undefined ? [] : [{ mediaType }]
}

function chatMessage({ role, content, tool_calls: calls, tool_call_id: id }: Json): ScriptedMessage {
  if (role === 'tool') return { role, toolCallId: id, content: textIn(content) }
  if (role === 'user') return userMessage(content)
  if (role !== 'assistant') return { role: 'system', content: textIn(content, '\n\n') }
  const toolCalls = (calls ?? []).map((call: Json) => ({
    id: call.id,
    name: call.function.name,
    arguments: readArguments(call.function.arguments),
  }))
  return { role, content: textIn(content ?? ''), ...(toolCalls.length === 0 ? {} : { toolCalls }) }
}

function itemMessage({ type, role, content, call_id: id, name, arguments: written, output }: Json): ScriptedMessage[] {
  if (type === 'function_call')
    return [{ role: 'assistant', content: '', toolCalls: [{ id, name, arguments: readArguments(written) }] }]
  if (type === 'function_call_output') return [{ role: 'tool', toolCallId: id, content: textIn(output) }]
  if (role === 'assistant') return [{ role, content: textIn(content) }]
  if (role === 'user') return [userMessage(content)]
  return role === undefined ? [] : [{ role: 'system', content: textIn(content, '\n\n') }]
}

/** System prompts in a row are one. */
function joinSystem(messages: readonly ScriptedMessage[]): readonly ScriptedMessage[] {
  const system = messages.flatMap((message) => (message.role === 'system' ? [message.content] : []))
  const others = messages.filter(({ role }) => role !== 'system')
  return [{ role: 'system', content: system.join('\n\n') }, ...others]
}

/** The items of one answer are one message. */
function joinCalls(messages: readonly ScriptedMessage[]): readonly ScriptedMessage[] {
  const joined: ScriptedMessage[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    if (message.role !== 'assistant' || last?.role !== 'assistant') joined.push(message)
    else {
      const toolCalls = [...(last.toolCalls ?? []), ...(message.toolCalls ?? [])]
      const content = last.content + message.content
      joined[joined.length - 1] = { role: 'assistant', content, ...(toolCalls.length === 0 ? {} : { toolCalls }) }
    }
  }
  return joined
}
