import { countText } from '../../operate/count-text.ts'
import type { AcceptanceResult } from '../../runner/index.ts'

/** The acceptance of a run on one line: how far it got, and why. */
export function acceptanceText({ status, criteria, verify, review, finalizationTurns }: AcceptanceResult): string {
  const met = criteria.filter((each) => each.status === 'satisfied').length
  const parts = [
    ...(criteria.length === 0 ? [] : [`${met} of ${countText(criteria.length, 'criterion', 'criteria')} met`]),
    ...verify.map((each) => `${each.id} ${each.status}`),
    ...(review === null ? [] : [`${review.agent} ${review.verdict ?? 'has not judged'}`]),
    ...(finalizationTurns === 0
      ? []
      : [`sent back ${finalizationTurns === 1 ? 'once' : `${finalizationTurns} times`}`]),
  ]
  return `${status}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`
}
