import { MEDIA_KINDS, type MediaCounts, type MediaKind } from './media-kind.ts'

/** Tokens of one class, by kind. `null`: nobody knows which of them are media, so that each may be the dearest. */
export type DividedTokens = Readonly<Record<MediaKind | 'text' | 'other', number>> | null

/** What an answer says of the kinds of some tokens: those that it does not name were not told. */
export type ToldKinds = Readonly<Partial<Record<MediaKind, number | undefined>>>

/** Tells which tokens of one class after the other are media: as the answer says, else as the request allows. */
export interface KindDivider {
  divide(tokens: number, told: ToldKinds): DividedTokens
}

/**
 * `most` bounds what may be media where the answer does not say it. What one class has taken of that is not there for
 * the next, so classes are divided from the dearest on. Without `most`, tokens whose kind nobody told stay undivided.
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
