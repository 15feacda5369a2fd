import type { EvidenceKind } from '../../agents/index.ts'
import type { AcceptanceReport } from './acceptance-result.ts'

/** The report field of a kind of evidence. */
export interface EvidenceField {
  readonly name: keyof AcceptanceReport
  /** An example for the agent. */
  readonly example: unknown
  /** Whether it is given: an empty list may be correct, an empty text is not. */
  isGiven(report: AcceptanceReport): boolean
  readonly form: string
}

const isText = (value: string | undefined): boolean => value !== undefined && value.trim() !== ''

export const EVIDENCE_FIELDS: Readonly<Record<EvidenceKind, EvidenceField>> = {
  'changed-files': {
    name: 'changedFiles',
    example: ['src/file.ts'],
    isGiven: ({ changedFiles }) => changedFiles !== undefined,
    form: 'the paths of the files that you have changed, [] for none',
  },
  'tests-added': {
    name: 'testsAddedOrUpdated',
    example: ['src/file.test.ts'],
    isGiven: ({ testsAddedOrUpdated }) => testsAddedOrUpdated !== undefined,
    form: 'the paths of the tests that you have added or changed, [] for none',
  },
  'commands-run': {
    name: 'commandsRun',
    example: [{ command: 'npm test', result: 'passed', summary: '12 tests passed' }],
    isGiven: ({ commandsRun }) => commandsRun !== undefined,
    form: 'the commands that you have run, each with result (passed, failed or not-run) and summary, [] for none',
  },
  'validation-output': {
    name: 'validationOutput',
    example: ['12 passed, 0 failed'],
    isGiven: ({ validationOutput }) => validationOutput?.some((line) => isText(line)) === true,
    form: 'the lines of output that show that it works',
  },
  'residual-risks': {
    name: 'residualRisks',
    example: ['Not tried on Windows'],
    isGiven: ({ residualRisks }) => residualRisks !== undefined,
    form: 'what may still be wrong, [] for nothing',
  },
  'no-staged-files': {
    name: 'noStagedFiles',
    example: true,
    isGiven: ({ noStagedFiles }) => noStagedFiles === true,
    form: 'true: nothing may be staged in git',
  },
  'diff-summary': {
    name: 'diffSummary',
    example: 'One guard in parse(), and a test for it',
    isGiven: ({ diffSummary }) => isText(diffSummary),
    form: 'what was changed, in a sentence or two',
  },
  'review-findings': {
    name: 'reviewFindings',
    example: ['src/file.ts:12: the error is swallowed'],
    isGiven: ({ reviewFindings }) => reviewFindings !== undefined,
    form: 'what you have found, [] for nothing',
  },
  'manual-notes': {
    name: 'manualNotes',
    example: 'Anything else that should be known',
    isGiven: ({ manualNotes }) => isText(manualNotes),
    form: 'what else should be known',
  },
}
