// What travels in the gateway's benchmark: requests of the chat dialect.

/** The model that every request names. */
export const MODEL = 'gpt-4o-mini'

const HEADER_END = '\r\n\r\n'

/** A chat request of about `bytes`, with as many tools. */
export function chatBody(bytes: number, { tools = 0, stream = false } = {}): string {
  const request = {
    model: MODEL,
    max_tokens: 256,
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
    ...(tools === 0 ? {} : { tools: Array.from({ length: tools }, (_, index) => toolOf(index)) }),
    messages: [
      { role: 'system', content: 'You are a careful engineer.' },
      { role: 'user', content: '' },
    ],
  }
  const missing = Math.max(0, bytes - JSON.stringify(request).length)
  request.messages[1]!.content = 'Read this and say what it means. '.repeat(Math.ceil(missing / 33)).slice(0, missing)
  return JSON.stringify(request)
}

/** A tool of about 3 kB, as agents describe theirs. */
export function toolOf(index: number): object {
  const description = 'Reads a file of the project and returns its text, from a line on and as many lines as asked. '
  return {
    type: 'function',
    function: {
      name: `tool_${index}`,
      description: description.repeat(30),
      parameters: { type: 'object', properties: { path: { type: 'string', description } }, required: ['path'] },
    },
  }
}

/** A whole HTTP request. */
export function requestBytes(path: string, headers: Readonly<Record<string, string>>, body: string): Buffer {
  const lines = Object.entries({
    host: '127.0.0.1',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}${HEADER_END}${body}`)
}
