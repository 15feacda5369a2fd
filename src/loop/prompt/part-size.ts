import { createAgingMap, type Steps } from '../../core/index.ts'
import { mediaSize } from '../../governor/edge.ts'
import { tokenFloor } from '../../pricing/estimate/token-floor.ts'
import {
  type EstimateMode,
  estimateInputInSteps,
  type MediaCounts,
  mediaCounts,
  toolPromptTokens,
} from '../../pricing/index.ts'
import type { PromptPart } from '../request-view.ts'

// Processed in one step, about a millisecond: a part takes some microseconds, and so do a few kilobytes.
export const PIECE_BYTES = 65_536
export const BYTES_PER_PART = 512

/** The size of a part: its text, and separately its media. */
interface PartSize {
  readonly tokens: number
  readonly media: Required<MediaCounts>
}

export const NO_MEDIA: Required<MediaCounts> = { image: 0, audio: 0, video: 0, other: 0 }

// System prompts and tools are repeated in every request.
const MOST_REMEMBERED = 4_096
const remembered = createAgingMap<PartSize>(MOST_REMEMBERED)

export function* sizeOf(part: PromptPart, model: string, mode: EstimateMode): Steps<PartSize> {
  const hasMedia = part.media.length > 0
  const key = `${mode} ${hasMedia ? model : /claude|anthropic/i.test(model)} ${part.digest}`
  const known = remembered.get(key)
  if (known !== undefined) return known
  const hidden = part.tools === undefined ? 0 : toolPromptTokens(model, part.tools)
  const tokens =
    (yield* estimateInputInSteps({ addedText: part.text(), addedParts: part.pieces ?? 1, model }, mode)) + hidden
  const size = { tokens, media: hasMedia ? mediaCounts(mediaSize(part.media), model) : NO_MEDIA }
  remembered.set(key, size)
  return size
}

const floors = createAgingMap<number>(4_096)

/** The minimum that a careful estimate of a prompt may give. */
export function* floorOf(parts: readonly PromptPart[]): Steps<number> {
  let floor = 0
  for (const part of parts) {
    let own = floors.get(part.digest)
    if (own === undefined) {
      own = yield* tokenFloor(part.text())
      floors.set(part.digest, own)
    }
    floor += own
  }
  return floor
}
