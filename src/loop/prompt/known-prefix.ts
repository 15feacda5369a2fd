import { hash } from 'node:crypto'
import type { Steps } from '../../core/index.ts'
import type { PromptParts } from '../request-view.ts'
import { BYTES_PER_PART, PIECE_BYTES } from './part-size.ts'
import type { TokenMark, TokenMarks } from './token-marks.ts'

/** The digest of the whole prompt, and the longest counted prefix. */
export function* knownPrefix(
  model: string,
  { parts, variant }: PromptParts,
  marks: TokenMarks,
): Steps<{ digest: string; mark: TokenMark | null }> {
  const leadingDigests: string[] = []
  let digest = digestOf(`${model}${variant}`)
  let index = 0
  for (; index < parts.length && parts[index]!.chained === undefined; index++) {
    digest = digestOf(`${digest}\n${parts[index]!.digest}`)
    leadingDigests.push(digest)
  }
  const leading = digest
  for (let last = parts.length - 1; last >= index; last--) {
    const { chained } = parts[last]!
    if (chained?.leading !== leading) continue
    digest = chained.digest
    index = last + 1
  }
  let bytes = 0
  for (; index < parts.length; index++) {
    const part = parts[index]!
    digest = digestOf(`${digest}\n${part.digest}`)
    part.chained = { leading, digest }
    bytes += part.bytes + BYTES_PER_PART
    if (bytes <= PIECE_BYTES) continue
    bytes = 0
    yield
  }
  let mark: TokenMark | null = null
  for (const [counted, each] of marks.all()) {
    const { parts: length } = each
    if (length > parts.length || length <= (mark?.parts ?? 0)) continue
    if (counted === (leadingDigests[length - 1] ?? parts[length - 1]!.chained!.digest)) mark = each
  }
  return { digest, mark }
}

// Shorter texts are used directly.
const LONGEST_UNDIGESTED = 512

function digestOf(text: string): string {
  return text.length <= LONGEST_UNDIGESTED ? text : hash('sha256', text, 'base64')
}
