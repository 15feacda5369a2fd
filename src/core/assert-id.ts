import { InvalidOptionError } from './invalid-option-error.ts'

const LONGEST_ID = 1_000

/** Throws unless `id` can tell one thing from another: an empty one would be everybody's. */
export function assertId(id: unknown, place: string): asserts id is string {
  if (typeof id === 'string' && id !== '' && id.length <= LONGEST_ID) return
  throw new InvalidOptionError(place, id, `text of 1 to ${LONGEST_ID} characters`)
}
