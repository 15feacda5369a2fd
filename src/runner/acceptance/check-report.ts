import type { Acceptance } from '../../agents/index.ts'
import type { AcceptanceReport, CriterionResult } from './acceptance-result.ts'
import { evidenceNeeded } from './contract-text.ts'
import { EVIDENCE_FIELDS } from './evidence-fields.ts'

/** A report, compared with its contract. */
export interface CheckedReport {
  readonly criteria: readonly CriterionResult[]
  /** What is missing, for the agent. */
  readonly problems: readonly string[]
}

/** Whether a report has what the contract asks for. Commands and reviewers check whether it is true. */
export function checkReport(acceptance: Acceptance, report: AcceptanceReport): CheckedReport {
  const criteria = criteriaOf(acceptance, report)
  const unmet = criteria.flatMap(({ id, must, severity, status, evidence }) => {
    if (severity === 'recommended') return []
    if (status === 'unknown') return [`criteriaSatisfied has nothing about ${id}: ${must}`]
    if (status !== 'satisfied') return [`${id} is ${status}: ${must}${evidence === null ? '' : ` (${evidence})`}`]
    return evidence === null ? [`criteriaSatisfied has no evidence for ${id}: ${must}`] : []
  })
  const missing = evidenceNeeded(acceptance).flatMap((kind) => {
    const { name, form, isGiven } = EVIDENCE_FIELDS[kind]
    return isGiven(report) ? [] : [`${name} is missing or empty (${kind}). It is ${form}.`]
  })
  return { criteria, problems: [...unmet, ...missing] }
}

/** The report on each criterion. The last entry for a criterion counts. */
export function criteriaOf({ criteria }: Acceptance, report: AcceptanceReport | null): readonly CriterionResult[] {
  return criteria.map(({ id, must, severity }) => {
    const said = report?.criteriaSatisfied?.findLast((each) => each.id === id)
    const evidence = said?.evidence.trim() ? said.evidence : null
    return { id, must, severity, status: said?.status ?? 'unknown', evidence }
  })
}
