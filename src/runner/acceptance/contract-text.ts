import type { Acceptance, EvidenceKind } from '../../agents/index.ts'
import { EVIDENCE_FIELDS } from './evidence-fields.ts'

/** Whether the agent must report: not where only commands or a reviewer decide. */
export function needsReport({ criteria, evidence, stopRules }: Acceptance): boolean {
  return criteria.length + evidence.length + stopRules.length > 0
}

/** Everything that must be shown: for the contract, and for each of its required criteria. */
export function evidenceNeeded({ evidence, criteria }: Acceptance): readonly EvidenceKind[] {
  const required = criteria.filter(({ severity }) => severity === 'required')
  return [...new Set([...evidence, ...required.flatMap((criterion) => criterion.evidence)])]
}

/** The contract, as the agent is told it with its task. */
export function contractText(acceptance: Acceptance, hasSchema: boolean): string {
  const { criteria, verify, review, stopRules } = acceptance
  const parts = ['Your work counts as done only when it is accepted.']
  if (criteria.length > 0) parts.push(list('It must meet these criteria:', criteria.map(criterionText)))
  if (stopRules.length > 0) parts.push(list('Stop, and report why, rather than break one of these rules:', stopRules))
  if (verify.length > 0) {
    const commands = verify.map(({ id, command, allowFailure }) =>
      allowFailure ? `${id}: ${command} (may fail)` : `${id}: ${command}`,
    )
    parts.push(list('When you are done, these commands are run in the working folder and must succeed:', commands))
  }
  if (review?.required) parts.push('Then another agent reviews it.')
  if (needsReport(acceptance)) parts.push(reportText(acceptance, hasSchema))
  return parts.join('\n\n')
}

/** How to report. */
export function reportText(acceptance: Acceptance, hasSchema: boolean): string {
  const kinds = evidenceNeeded(acceptance)
  const fields = kinds.map((kind) => EVIDENCE_FIELDS[kind])
  const example = {
    ...(acceptance.criteria.length === 0
      ? {}
      : {
          criteriaSatisfied: acceptance.criteria.map(({ id }) => ({
            id,
            status: 'satisfied',
            evidence: 'what shows it',
          })),
        }),
    ...Object.fromEntries(fields.map(({ name, example: shown }) => [name, shown])),
  }
  const where = hasSchema ? 'Behind the JSON value of your answer' : 'At the end of your answer'
  const told = fields.map(({ name, form }) => `${name}: ${form}`)
  const words = [
    `${where}, report in one block like this, with what is true. What is only in the text around it does not count.`,
    ...(acceptance.criteria.length === 0 ? [] : ['A status is satisfied, not-satisfied or not-applicable.']),
  ]
  return [
    words.join(' '),
    `\`\`\`acceptance-report\n${JSON.stringify(example, null, 2)}\n\`\`\``,
    ...(told.length === 0 ? [] : [list('Its fields:', told)]),
  ].join('\n\n')
}

function criterionText({ id, must, severity }: Acceptance['criteria'][number]): string {
  return severity === 'recommended' ? `${id} (recommended): ${must}` : `${id}: ${must}`
}

function list(title: string, items: readonly string[]): string {
  return [title, ...items.map((item) => `- ${item}`)].join('\n')
}
