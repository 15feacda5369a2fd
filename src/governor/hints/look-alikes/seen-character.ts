import { foldCharacter, isUnseen } from './fold-character.ts'

/** A character as a reader sees it. */
export interface SeenCharacter {
  readonly code: number
  readonly folded: string
  readonly isUnseen: boolean
  /** Whether it may be between the bracket, the letters and the colon without changing how they read. */
  readonly isUnremarkable: boolean
}

const SPACE_OR_EMPHASIS = /[\p{Zs}\t*_~`]/u

// A cache for repeated characters: indexed by the last bits of the code, and overwritten on a collision.
const REMEMBERED = 4_096
const remembered: (SeenCharacter | undefined)[] = new Array(REMEMBERED)

/** Cached, so that repeated characters are fast whatever the text contains. */
export function seenCharacter(code: number): SeenCharacter {
  const slot = code % REMEMBERED
  const known = remembered[slot]
  if (known?.code === code) return known
  const character = String.fromCodePoint(code)
  const unseen = isUnseen(character)
  const seen = {
    code,
    folded: foldCharacter(character),
    isUnseen: unseen,
    isUnremarkable: unseen || SPACE_OR_EMPHASIS.test(character),
  }
  remembered[slot] = seen
  return seen
}
