import { type JsonObject, objectsFrom, textFrom } from '../request/json-value.ts'
import { mediaFrom } from './media-part.ts'

const TEXTS: ReadonlySet<unknown> = new Set([undefined, 'text', 'input_text', 'output_text', 'refusal'])

/** The text of a content, which is a string or a list of parts. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return objectsFrom(content).map(partText).join('\n')
}

/** An unknown kind of part counts with all of its JSON. */
function partText(part: JsonObject): string {
  if (TEXTS.has(part.type)) return textFrom(part.text) || textFrom(part.refusal)
  return mediaFrom(part) === null ? JSON.stringify(part) : ''
}
