import type { Acceptance } from '../acceptance/acceptance.ts'
import type { AgentClaims } from './agent-claims.ts'

/**
 * A contract of a project's file, without the commands and reviewers that it is not trusted with: one runs programs, the
 * other starts agents. `null` if nothing else is left. `field`: where it is written, `who`: the agent that it is for.
 */
export function restrainAcceptance(
  acceptance: Acceptance,
  claims: AgentClaims,
  field: string,
  who: string,
): Acceptance | null {
  const verify = acceptance.verify.filter(({ id, command }) =>
    claims.allows({ steps: [field, 'verify', id], value: command, allows: `runs ${command} after ${who}` }),
  )
  const { review } = acceptance
  const isReviewed =
    review !== null &&
    claims.allows({ steps: [field, 'review'], value: review, allows: `has ${review.agent} review the work of ${who}` })
  const restrained = { ...acceptance, verify, review: isReviewed ? review : null }
  const { criteria, evidence, stopRules } = restrained
  const isLeft = criteria.length + evidence.length + stopRules.length + verify.length > 0 || isReviewed
  return isLeft ? restrained : null
}
