import type { CacheMark } from '../../../../pricing/index.ts'

/** The one of two marks that lasts longer. */
export function longerMark(left: CacheMark, right: CacheMark): CacheMark {
  if (left === '1h' || right === '1h') return '1h'
  return left === '5m' || right === '5m' ? '5m' : 'none'
}
