import { MEDIA_KINDS, type MediaCounts, type MediaKind } from './media-kind.ts'

/**
 * Tokens of one class, by kind. `null`: it is unknown which of them are media, so each may be of the most expensive
 * kind.
 */
export type DividedTokens = Readonly<Record<MediaKind | 'text' | 'other', number>> | null

/** The reported tokens by kind. A kind that is left out wasn't reported. */
export type ReportedKinds = Readonly<Partial<Record<MediaKind, number | undefined>>>

/** Divides the tokens of one class after another by kind: as the answer reports, else as the request allows. */
export interface KindDivider {
  divide(tokens: number, reported: ReportedKinds): DividedTokens
}

/**
 * `most` bounds the media tokens if the answer doesn't report them. What one class takes is no longer available to the
 * next, so classes are divided from the most expensive down. Without `most`, tokens of unreported kind stay undivided.
 */
export function createKindDivider(most: MediaCounts | undefined): KindDivider {
  const left: Record<MediaKind | 'other', number> = { audio: 0, image: 0, video: 0, other: 0, ...most }
  return {
    divide(tokens, told) {
      if (most === undefined && MEDIA_KINDS.every((kind) => told[kind] === undefined)) return null
      const divided = { text: 0, audio: 0, image: 0, video: 0, other: 0 }
      let rest = tokens
      const take = (kind: MediaKind | 'other', wanted: number): void => {
        divided[kind] = Math.min(rest, wanted)
        rest -= divided[kind]
        left[kind] -= Math.min(left[kind], divided[kind])
      }
      for (const kind of MEDIA_KINDS) take(kind, told[kind] ?? left[kind])
      if (MEDIA_KINDS.some((kind) => told[kind] === undefined)) take('other', left.other)
      return { ...divided, text: rest }
    },
  }
}
