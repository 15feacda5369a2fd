import type { Acceptance, EvidenceKind } from '../../agents/index.ts'
import { EVIDENCE_FIELDS } from './evidence-fields.ts'

/** Whether the agent must report: not if only commands or a reviewer decide. */
export function needsReport({ criteria, evidence, stopRules }: Acceptance): boolean {
  return criteria.length + evidence.length + stopRules.length > 0
}

/** All evidence that is needed: of the contract, and of each required criterion. */
export function evidenceNeeded({ evidence, criteria }: Acceptance): readonly EvidenceKind[] {
  const required = criteria.filter(({ severity }) => severity === 'required')
  return [...new Set([...evidence, ...required.flatMap((criterion) => criterion.evidence)])]
}

/** The contract, as shown to the agent with its task. */
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

/** Instructions for the report. */
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
  const where = hasSchema ? 'After the JSON value of your answer' : 'At the end of your answer'
  const told = fields.map(({ name, form }) => `${name}: ${form}`)
  const words = [
    `${where}, report truthfully in one block like this. Text outside of the block does not count.`,
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
