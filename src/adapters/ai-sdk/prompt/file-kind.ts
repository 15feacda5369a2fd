/** How a provider treats a file in a prompt. */
export type FileKind = 'image' | 'audio' | 'video' | 'text' | 'document'

// Parts come in the formats of two AI SDK versions and of providers, so they are recognized by their fields.
const FILE_FIELDS = ['data', 'mediaType', 'url', 'fileId']

/** The kind of file that a prompt part is; `null` if it is not a file. */
export function fileKindOf(part: object): FileKind | null {
  if (!FILE_FIELDS.some((field) => field in part)) return null
  const { type = '', mediaType = '' } = part as Record<string, unknown>
  const words = `${mediaType} ${type}`
  if (words.includes('image')) return 'image'
  if (words.includes('text/')) return 'text'
  if (words.includes('audio')) return 'audio'
  return words.includes('video') ? 'video' : 'document'
}
