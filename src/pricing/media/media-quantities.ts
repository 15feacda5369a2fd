import { addAmount } from '../../core/amounts.ts'
import { contextWindow } from '../context-window.ts'
import { mediaTokens } from '../media-tokens.ts'
import type { MediaCounts, MediaKind } from './media-kind.ts'

/** What there is in a prompt beside its text. */
export interface MediaQuantities {
  readonly images: number
  readonly documentPages: number
  /** Of documents that are text: each may be a token. */
  readonly documentBytes: number
  readonly audioSeconds: number
  readonly videoSeconds: number
  /** Kinds of which there is something whose size nobody knows. A document counts as an image. */
  readonly unknown: readonly (MediaKind | 'other')[]
}

/** The most tokens that media takes, by kind: what a model takes for each, or its context window where that is unknown. */
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

/** Both together. */
export function addMediaCounts(left: Required<MediaCounts>, right: Required<MediaCounts>): Required<MediaCounts> {
  return {
    image: addAmount(left.image, right.image),
    audio: addAmount(left.audio, right.audio),
    video: addAmount(left.video, right.video),
    other: addAmount(left.other, right.other),
  }
}

/** A prompt of so much text with this media: as far as media goes, never more than the model can read. */
export function promptWithMedia(textTokens: number, media: Required<MediaCounts>, model: string | undefined): number {
  const all = addAmount(textTokens, media.image + media.audio + media.video + media.other)
  return all === textTokens ? all : Math.max(textTokens, Math.min(all, contextWindow(model)))
}
