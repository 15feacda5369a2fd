/** Randomness that a seed fixes for ever. */
export interface Dice {
  /** From 0 up to, and without, 1. */
  unit(): number
  /** A whole number, both ends included. */
  whole(least: number, most: number): number
  chance(share: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

/** The 32-bit generator "mulberry32": small, fast, and good enough to draw faults with. */
export function createDice(seed: number): Dice {
  let state = Math.imul(seed, 0x9e3779b9) >>> 0
  function unit(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (least: number, most: number): number => least + Math.floor(unit() * (most - least + 1))
  return {
    unit,
    whole,
    chance: (share) => unit() < share,
    pick: (items) => items[whole(0, items.length - 1)]!,
  }
}
