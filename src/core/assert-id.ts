import { assertStorableText } from './storable-text.ts'

const LONGEST_ID = 1_000

/** Throws unless `id` tells one thing from another in every store: an empty one would be shared by all. */
export function assertId(id: unknown, place: string): asserts id is string {
  assertStorableText(id, place, { longest: LONGEST_ID })
}
