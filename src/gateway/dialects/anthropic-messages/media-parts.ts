import type { MediaFile } from '../../../governor/edge.ts'
import { encodedFile, type FoundMedia } from '../request/encoded-file.ts'
import { type JsonObject, objectFrom, objectsFrom } from '../request/json-value.ts'

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
function sourced(kind: MediaFile['kind'], source: JsonObject | null): FoundMedia {
  return encodedFile(kind, source?.type === 'base64' ? source.data : undefined)
}
