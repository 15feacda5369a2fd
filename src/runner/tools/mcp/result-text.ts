import { isPlainObject } from '../../../core/index.ts'

/** A server's tool result as text; images and audio are only mentioned. */
export function resultText(result: unknown): { readonly text: string; readonly isError: boolean } {
  const { content, structuredContent, toolResult, isError } = (isPlainObject(result) ? result : {}) as Answer
  const parts = Array.isArray(content) ? content.map(partText) : []
  const text = parts.filter((part) => part !== '').join('\n')
  const rest = structuredContent ?? toolResult
  const whole = text !== '' || rest === undefined ? text : JSON.stringify(rest)
  return { text: whole === '' ? '(no output)' : whole, isError: isError === true }
}

interface Answer {
  readonly content?: unknown
  readonly structuredContent?: unknown
  readonly toolResult?: unknown
  readonly isError?: unknown
}

function partText(part: unknown): string {
  if (!isPlainObject(part)) return ''
  const { type, text, data, mimeType, resource, uri } = part as Readonly<Record<string, unknown>>
  if (typeof text === 'string') return text
  if (typeof data === 'string')
    return `[${String(type)} ${String(mimeType ?? '')}, ${data.length} characters of base64: not shown]`
  if (type === 'resource_link') return `[resource ${String(uri)}]`
  if (type === 'resource' && isPlainObject(resource)) {
    const { text: inside, uri: where } = resource as Readonly<Record<string, unknown>>
    return typeof inside === 'string' ? inside : `[resource ${String(where)}: not shown]`
  }
  return `[${String(type)}: not shown]`
}
