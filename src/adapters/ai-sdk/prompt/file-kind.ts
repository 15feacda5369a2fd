/** What a file in a prompt is to a provider. */
export type FileKind = 'image' | 'audio' | 'video' | 'text' | 'document'

// Parts come in the words of two versions of the AI SDK, and those of providers: read by what they have.
const FILE_FIELDS = ['data', 'mediaType', 'url', 'fileId']

/** The kind of file that a part of a prompt is; `null` for what is none. */
export function fileKindOf(part: object): FileKind | null {
  if (!FILE_FIELDS.some((field) => field in part)) return null
  const { type = '', mediaType = '' } = part as Record<string, unknown>
  const words = `${mediaType} ${type}`
  if (words.includes('image')) return 'image'
  if (words.includes('text/')) return 'text'
  if (words.includes('audio')) return 'audio'
  return words.includes('video') ? 'video' : 'document'
}
