import { InvalidOptionError } from '../../core/index.ts'

const LONGEST_DOCUMENT = 64 * 1024 * 1024

/** What a loop needs to continue, in stored form; `undefined` for none. Refuses data that would not survive storage. */
export function documentFrom(conversation: unknown): string | undefined {
  if (conversation === null || conversation === undefined) return undefined
  const text = textOf(conversation)
  if (text !== null && text.length <= LONGEST_DOCUMENT) return text
  const form = 'data that JSON can hold (no functions, no cycles), at most 64 MiB'
  throw new InvalidOptionError('pause({ conversation })', conversation, form)
}

function textOf(conversation: unknown): string | null {
  try {
    return JSON.stringify(conversation) ?? null
  } catch {
    return null
  }
}

/** The conversation that was stored. */
export function conversationFrom(document: string | null): unknown {
  return document === null ? null : JSON.parse(document)
}
