import { printable } from '../../core/checks/printable.ts'
import { countStatuses } from '../../core/index.ts'
import { countText } from '../../operate/count-text.ts'
import type { RunResult, RunStatus } from '../../runner/index.ts'
import { assumedLine, standingParts } from '../exec/exec-summary.ts'
import { acceptanceText } from '../output/acceptance-text.ts'
import type { Paint } from '../output/paint.ts'
import { answerHint, resumeHint } from '../output/resume-hint.ts'
import { statusText } from '../output/status-text.ts'

/** The exit codes of `stint run`. */
const EXIT_CODES: Readonly<Record<RunStatus, number>> = {
  completed: 0,
  failed: 1,
  paused: 75,
  'limit-reached': 124,
  'timed-out': 124,
  stopped: 130,
}

export function exitCodeOfRun({ status }: Pick<RunResult, 'status'>): number {
  return EXIT_CODES[status]
}

/** The summary of a finished run: how it ended and why, what it used, where its files are, and how to continue. */
export function runSummary(result: RunResult, paint: Paint): string {
  const { path, status, usage, error, breach, warnings, artifacts } = result
  const standing = standingParts(usage).join(', ')
  const lines = [
    `stint: ${printable(path)} ${statusText({ status }, paint)}${standing === '' ? '' : ` · ${standing}`}`,
    ...(error === null ? [] : [`  ${printable(error)}`]),
    ...(breach === null || error?.includes(breach.message) ? [] : [`  ${printable(breach.message)}`]),
    ...(result.mayBeHalfDone ? [UNSAFE] : []),
    ...acceptanceLines(result),
    ...assumedLine(usage),
    ...childrenLine(result),
    ...attemptLines(result),
    ...warnings.map((warning) => `  ${printable(warning)}`),
    ...outputLine(result),
    ...(status === 'paused' ? toContinue(result) : []),
    ...(status === 'completed' ? [] : [`  Artifacts: ${printable(artifacts.folder)}`]),
  ]
  return lines.join('\n')
}

function toContinue({ id, breach, request }: RunResult): readonly string[] {
  return [...answerHint(request), `  To continue: ${resumeHint(id, breach)}`]
}

const UNSAFE = '  A tool that changes things was stopped, perhaps halfway: check what it did.'

function childrenLine({ children }: RunResult): readonly string[] {
  if (children.length === 0) return []
  const counts = countStatuses(children.map(({ status }) => status))
  return [`  ${countText(children.length, 'subagent')}: ${counts}`]
}

/** How far it got, and what was found. A rejection is in the error. */
function acceptanceLines({ acceptance }: RunResult): readonly string[] {
  return acceptance === undefined ? [] : [`  Acceptance: ${printable(acceptanceText(acceptance))}`]
}

/** Only the models that failed. */
function attemptLines({ attempts, error: shown }: RunResult): readonly string[] {
  return attempts
    .filter(({ status, error }) => status === 'failed' && (error === null || error !== shown))
    .map(({ model, error }) => `  ${printable(model)} failed${error === null ? '' : `: ${printable(error)}`}`)
}

function outputLine({ status, partialOutput }: RunResult): readonly string[] {
  if (status === 'completed') return []
  return [partialOutput === null ? '  It has not answered yet.' : '  What it has so far is on standard output.']
}
