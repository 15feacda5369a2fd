import type { MediaPart } from '../dialect.ts'
import { type JsonObject, objectFrom, objectsFrom } from '../request/json-value.ts'

/** Media, and how many bytes of the body its data takes, which are no text. */
export interface FoundMedia {
  readonly part: MediaPart
  readonly bodyBytes: number
}

/** The images and documents of a content, also those inside of tool results and documents. */
export function mediaIn(content: unknown): readonly FoundMedia[] {
  if (!Array.isArray(content)) return []
  return objectsFrom(content).flatMap(mediaOf)
}

function mediaOf(block: JsonObject): readonly FoundMedia[] {
  const source = objectFrom(block.source)
  if (block.type === 'image') return [sourced('image', source)]
  if (block.type === 'document') {
    if (source?.type === 'text') return []
    return source?.type === 'content' ? mediaIn(source.content) : [sourced('document', source)]
  }
  if (block.type === 'container_upload') return [sourced('other', null)]
  return block.type === 'tool_result' || block.type === 'mcp_tool_result' ? mediaIn(block.content) : []
}

/** Without data it is fetched by the provider, by address or by file id. */
function sourced(kind: MediaPart['kind'], source: JsonObject | null): FoundMedia {
  const data = source?.type === 'base64' ? source.data : undefined
  if (typeof data !== 'string') return { part: { kind, bytes: null }, bodyBytes: 0 }
  return { part: { kind, bytes: Math.floor((data.length * 3) / 4) }, bodyBytes: data.length }
}
