import { addAmount } from '../../../core/amounts/amounts.ts'
import { contextWindow } from '../../prices/context-window.ts'
import { mediaTokens } from '../media-tokens.ts'
import type { MediaCounts, MediaKind } from './media-kind.ts'

/** The contents of a prompt other than its text. */
export interface MediaQuantities {
  readonly images: number
  readonly documentPages: number
  /** For text documents: each byte may be a token. */
  readonly documentBytes: number
  readonly audioSeconds: number
  readonly videoSeconds: number
  /** Kinds with something of unknown size. A document counts as an image. */
  readonly unknown: readonly (MediaKind | 'other')[]
}

/** The most tokens that media takes, by kind: the model's figure for each, or its context window if that is unknown. */
export function mediaCounts(quantities: MediaQuantities, model: string | undefined): Required<MediaCounts> {
  const { images, documentPages, documentBytes, audioSeconds, videoSeconds, unknown } = quantities
  const per = mediaTokens(model)
  const known = {
    image: images * per.imageTokens + documentPages * per.pageTokens + documentBytes,
    audio: Math.ceil(audioSeconds * per.audioTokensPerSecond),
    video: Math.ceil(videoSeconds * per.videoTokensPerSecond),
    other: 0,
  }
  if (unknown.length === 0) return known
  const window = contextWindow(model)
  const most = (kind: MediaKind | 'other'): number =>
    unknown.includes(kind) ? Math.max(window, known[kind]) : known[kind]
  return { image: most('image'), audio: most('audio'), video: most('video'), other: most('other') }
}

export function addMediaCounts(left: Required<MediaCounts>, right: Required<MediaCounts>): Required<MediaCounts> {
  return {
    image: addAmount(left.image, right.image),
    audio: addAmount(left.audio, right.audio),
    video: addAmount(left.video, right.video),
    other: addAmount(left.other, right.other),
  }
}

/** A prompt of this much text with this media. Media counts at most as much as the model can read. */
export function promptWithMedia(textTokens: number, media: Required<MediaCounts>, model: string | undefined): number {
  const all = addAmount(textTokens, media.image + media.audio + media.video + media.other)
  return all === textTokens ? all : Math.max(textTokens, Math.min(all, contextWindow(model)))
}
