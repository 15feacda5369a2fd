/** Chance that can be repeated: the same seed throws the same. */
export interface Dice {
  /** A whole number from 0 up to, and without, `count`; all alike. */
  below(count: number): number
  /** A whole number from `min` to `max`; the two ends, where things go wrong, come up more often than the rest. */
  between(min: number, max: number): number
  oneOf<Face>(faces: readonly Face[]): Face
  /** True in one of so many throws. */
  oneIn(odds: number): boolean
}

export function createDice(seed: number): Dice {
  // A xorshift, which must not begin at 0, and whose first throws of neighbouring seeds are alike.
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
