import { isDeepStrictEqual } from 'node:util'
import type { Limit } from '../../core/index.ts'

/** Whether two limits differ in nothing but where they were written. */
export function isSameButSource(left: Limit, right: Limit): boolean {
  return isDeepStrictEqual({ ...left, source: null }, { ...right, source: null })
}
