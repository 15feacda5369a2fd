import { displayAmount } from '../../core/index.ts'
import { FEWEST_DONE, type LimitAdvice } from './suggest-limits.ts'

/** What the evidence says about a limit, in a few words. */
export function adviceText({ meter, suggested, reason, needed, largest, isCeiling, cutShare }: LimitAdvice): string {
  if (suggested !== null) {
    const cut = `cuts ${shareText(cutShare ?? 0)} of runs`
    return isCeiling ? `a ceiling; needed ${displayAmount(meter, needed ?? 0, 'up')}, ${cut}` : cut
  }
  const more = `more than ${displayAmount(meter, largest, 'down')}`
  return reason === 'too-few' ? `fewer than ${FEWEST_DONE} successful runs` : more
}

function shareText(share: number): string {
  if (share === 0) return 'none'
  const percent = 100 * share
  return percent < 1 ? '<1%' : `${Math.round(percent)}%`
}
