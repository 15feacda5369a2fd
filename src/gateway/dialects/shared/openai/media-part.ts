import type { MediaFile } from '../../../../governor/edge.ts'
import { encodedFile, type FoundMedia } from '../request/encoded-file.ts'
import { type JsonObject, objectFrom } from '../request/json-value.ts'

/**
 * The image, document, audio or video in a part of a message; `null` for text. Supports the spellings of both dialects.
 */
export function mediaFrom(part: JsonObject): FoundMedia | null {
  const { type } = part
  if (type === 'image_url') return addressed('image', objectFrom(part.image_url)?.url ?? part.image_url)
  if (type === 'input_image' || type === 'computer_screenshot') return addressed('image', part.image_url)
  if (type === 'input_audio') return encodedFile('audio', objectFrom(part.input_audio)?.data)
  if (type === 'input_file') return fileFrom(part.file_data)
  if (type === 'file') return fileFrom(objectFrom(part.file)?.file_data)
  return type === 'video_url' ? addressed('video', objectFrom(part.video_url)?.url ?? part.video_url) : null
}

/** Earlier audio of the model, which a message only refers to. */
export function spokenFrom({ audio }: JsonObject): FoundMedia | null {
  const spoken = objectFrom(audio)
  return spoken === null ? null : encodedFile('audio', spoken.data)
}

function addressed(kind: MediaFile['kind'], url: unknown): FoundMedia {
  return encodedFile(kind, typeof url === 'string' && url.startsWith('data:') ? url : undefined)
}

const KINDS: readonly (readonly [begin: RegExp, kind: MediaFile['kind']])[] = [
  [/^data:text\//, 'text'],
  [/^data:image\//, 'image'],
  [/^data:audio\//, 'audio'],
  [/^data:video\//, 'video'],
]

function fileFrom(data: unknown): FoundMedia {
  const kind = typeof data === 'string' ? KINDS.find(([begin]) => begin.test(data))?.[1] : undefined
  return encodedFile(kind ?? 'document', data)
}
