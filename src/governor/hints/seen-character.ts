import { foldCharacter, isUnseen } from './fold-character.ts'

/** A character as a reader takes it. */
export interface SeenCharacter {
  readonly code: number
  readonly folded: string
  readonly isUnseen: boolean
  /** What may stand between the bracket, the letters and the colon without changing how the whole is read. */
  readonly isUnremarkable: boolean
}

const SPACE_OR_EMPHASIS = /[\p{Zs}\t*_~`]/u

// What a text is made of comes again and again: looked up by the last bits of its code, and worked out anew where
// another character was there.
const REMEMBERED = 4_096
const remembered: (SeenCharacter | undefined)[] = new Array(REMEMBERED)

/** Never slow twice for what a text repeats, whatever it is made of. */
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
