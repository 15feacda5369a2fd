import { createHash } from 'node:crypto'
import type { CallOptions } from '../model/language-model.ts'

/**
 * Digests of the beginnings of a prompt with so many messages, and of the whole of it, the model and the tools
 * included. Two prompts with the same digest begin alike.
 */
export function promptDigests(
  modelId: string,
  { prompt, tools, responseFormat }: CallOptions,
  lengths: ReadonlySet<number>,
): ReadonlyMap<number, string> {
  const hash = createHash('sha256').update(digestText({ modelId, tools, responseFormat }))
  const digests = new Map<number, string>()
  prompt.forEach((message, index) => {
    const hasFiles = typeof message.content !== 'string' && message.content.some((part) => 'data' in part)
    hash.update('\n').update(hasFiles ? digestText(message) : JSON.stringify(message))
    const length = index + 1
    if (lengths.has(length) || length === prompt.length) digests.set(length, hash.copy().digest('base64'))
  })
  return digests
}

/** A value as text that differs where the value does. Files stand in it by their own digest. */
export function digestText(value: unknown): string {
  return JSON.stringify(value, (_, held) =>
    held instanceof Uint8Array ? createHash('sha256').update(held).digest('base64') : held,
  )
}
