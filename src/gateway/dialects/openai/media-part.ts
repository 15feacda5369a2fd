import type { MediaPart } from '../dialect.ts'
import { type JsonObject, objectFrom } from '../request/json-value.ts'

/** Media, and how many bytes of the body its data takes, which are no text. */
export interface FoundMedia {
  readonly part: MediaPart
  readonly bodyBytes: number
}

/** The image, document or audio that a part of a message is; `null` for a text. Both dialects' spellings. */
export function mediaFrom(part: JsonObject): FoundMedia | null {
  const { type } = part
  if (type === 'image_url') return imageFrom(objectFrom(part.image_url)?.url ?? part.image_url)
  if (type === 'input_image' || type === 'computer_screenshot') return imageFrom(part.image_url)
  if (type === 'input_audio') return media('audio', objectFrom(part.input_audio)?.data)
  if (type === 'input_file') return fileFrom(part.file_data)
  if (type === 'file') return fileFrom(objectFrom(part.file)?.file_data)
  return type === 'video_url' ? media('other', undefined) : null
}

function imageFrom(url: unknown): FoundMedia {
  return media('image', typeof url === 'string' && url.startsWith('data:') ? url : undefined)
}

function fileFrom(data: unknown): FoundMedia {
  return media(typeof data === 'string' && data.startsWith('data:text/') ? 'text' : 'document', data)
}

/** Without data it is fetched by the provider, by address or by file id. */
function media(kind: MediaPart['kind'], data: unknown): FoundMedia {
  if (typeof data !== 'string') return { part: { kind, bytes: null }, bodyBytes: 0 }
  const comma = data.startsWith('data:') ? data.indexOf(',') : -1
  const isText = comma !== -1 && !data.slice(0, comma).endsWith(';base64')
  const length = data.length - (comma + 1)
  return { part: { kind, bytes: isText ? length : Math.floor((length * 3) / 4) }, bodyBytes: data.length }
}
