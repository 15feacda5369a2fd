import type { Work } from '../measure.ts'

const ASKED = [1, 1, 1_200, 30_000] as const
const USED = [1, 1, 1_000, 21_000] as const

/**
 * The fastest sums that we could write by hand: the same path and meters in one flat array, no ids, no records, no
 * promises. What is above it is the price of names, repetition-proof records and an asynchronous port.
 */
export function handWrittenSubject(depth: number): Work {
  const rows = Array.from({ length: depth }, () => ASKED.map(() => ({ settled: 0, reserved: 0, max: 2 ** 52 })))
  return async (times) => {
    for (let time = 0; time < times; time++) {
      let fits = true
      for (const scope of rows) {
        for (let meter = 0; meter < ASKED.length; meter++) {
          const { settled, reserved, max } = scope[meter]!
          if (settled + reserved + ASKED[meter]! > max) fits = false
        }
      }
      if (!fits) throw new Error('a limit that cannot be reached was reached')
      for (const scope of rows)
        for (let meter = 0; meter < ASKED.length; meter++) scope[meter]!.reserved += ASKED[meter]!
      for (const scope of rows) {
        for (let meter = 0; meter < ASKED.length; meter++) {
          scope[meter]!.reserved -= ASKED[meter]!
          scope[meter]!.settled += USED[meter]!
        }
      }
    }
  }
}
