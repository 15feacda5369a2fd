import type { MediaFile } from '../../../governor/edge.ts'
import { encodedFile, type FoundMedia } from '../shared/request/encoded-file.ts'
import { type JsonObject, objectFrom, objectsFrom } from '../shared/request/json-value.ts'

/** The images and documents of a content, including those inside tool results and documents. */
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

/** Without data, the provider fetches it by URL or file id. */
function sourced(kind: MediaFile['kind'], source: JsonObject | null): FoundMedia {
  return encodedFile(kind, source?.type === 'base64' ? source.data : undefined)
}
