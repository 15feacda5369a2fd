/** Repeatable randomness: the same seed gives the same numbers. */
export interface Dice {
  /** A whole number from 0 to below `count`, uniformly. */
  below(count: number): number
  /** A whole number from `min` to `max`; the ends, where things go wrong, are more likely. */
  between(min: number, max: number): number
  oneOf<Face>(faces: readonly Face[]): Face
  /** True in one of this many cases. */
  oneIn(odds: number): boolean
}

export function createDice(seed: number): Dice {
  // A xorshift, which must not start at 0; its first numbers are similar for adjacent seeds.
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1
  const below = (count: number): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % count
  }
  for (let warmUp = 0; warmUp < 8; warmUp++) below(1)
  return {
    below,
    between(min, max) {
      const where = below(8)
      if (where === 0) return min
      return where === 1 ? max : min + below(max - min + 1)
    },
    oneOf: (faces) => faces[below(faces.length)]!,
    oneIn: (odds) => below(odds) === 0,
  }
}
