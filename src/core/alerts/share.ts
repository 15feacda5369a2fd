import type { ShareRule } from './alert-rule.ts'

/** The rules whose share of a limit is used, without those that were raised before. */
export function passedShares(
  rules: readonly ShareRule[],
  { max, used }: { readonly max: number; readonly used: number },
  raised: readonly string[],
): readonly ShareRule[] {
  return rules.filter(({ name, share }) => max > 0 && used / max >= share && !raised.includes(name))
}

/** The amount from which `passedShares` may return something. */
export function nextShareMark(rules: readonly ShareRule[], max: number, raised: readonly string[]): number {
  let mark = Number.POSITIVE_INFINITY
  // Rounded down: one check too many is better than missing a mark by a rounding error.
  for (const { name, share } of rules) {
    if (max > 0 && !raised.includes(name)) mark = Math.min(mark, Math.floor(share * max))
  }
  return mark
}
