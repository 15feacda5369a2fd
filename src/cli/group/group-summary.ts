import { printable } from '../../core/checks/printable.ts'
import { countText } from '../../operate/count-text.ts'
import type { ChildResult, GroupResult } from '../../runner/index.ts'
import { assumedLine, standingParts } from '../exec/exec-summary.ts'
import type { Paint } from '../output/paint.ts'
import { answerHint, resumeHint } from '../output/resume-hint.ts'
import { statusText } from '../output/status-text.ts'

const MOST_NAMED = 10
const NOT_STARTED = 'Not started.'
const PAUSED = 'Paused: '

/**
 * The summary of a finished group: how it ended and why, what it used and has left, and which agents did not complete.
 */
export function groupSummary(result: GroupResult, paint: Paint): string {
  const { path, status, counts, usage, error, breach, warnings, artifacts, results } = result
  const standing = standingParts(usage).join(', ')
  const lines = [
    `stint: ${printable(path)} ${statusText({ status }, paint)} · ${counts}${standing === '' ? '' : ` · ${standing}`}`,
    ...(error === null ? [] : [`  ${printable(error)}`]),
    ...(breach === null || error?.includes(breach.message) ? [] : [`  ${printable(breach.message)}`]),
    ...unfinished(results, error),
    ...assumedLine(usage),
    ...warnings.map((warning) => `  ${printable(warning)}`),
    ...(status === 'paused' ? toGoOn(result) : []),
    ...(status === 'completed' ? [] : [`  Artifacts: ${printable(artifacts.folder)}`]),
  ]
  return lines.join('\n')
}

function toGoOn({ id, request, breach }: GroupResult): readonly string[] {
  const resume = `  To continue: ${resumeHint(id, breach?.scope === id ? breach : null)}`
  return [...answerHint(request), resume]
}

/** Why an agent is paused: no error, so that its result has it as a warning. */
function pausedBy({ status, breach, warnings }: ChildResult): string | null {
  if (status !== 'paused') return null
  const warning = warnings.find((each) => each.startsWith(PAUSED))
  return breach?.message ?? warning?.slice(PAUSED.length) ?? null
}

/**
 * The agents that did not complete, with their reasons. Agents that reached the same limit are listed together, with the
 * reason of the first: the others differ only in what was left.
 */
function unfinished(results: readonly ChildResult[], told: string | null): readonly string[] {
  const reasons = new Map<string, { readonly reason: string; readonly those: ChildResult[] }>()
  for (const result of results) {
    if (result.status === 'completed') continue
    const { agent, key, status, breach } = result
    const error = result.error ?? pausedBy(result)
    // The first line has it already.
    if (told === `${agent} (${key}): ${error ?? status}`) continue
    const isTold = error === null || error === told || error === `${NOT_STARTED} ${told}`
    const reason = isTold ? status : `${status}: ${error}`
    const isStarted = error?.startsWith(NOT_STARTED) !== true
    const cause = breach === null || isTold ? reason : `${status} ${breach.key} ${isStarted}`
    const same = reasons.get(cause)
    if (same === undefined) reasons.set(cause, { reason, those: [result] })
    else same.those.push(result)
  }
  if (results.length === 1 && told !== null) return []
  const lines = [...reasons.values()].map(({ reason, those }) => {
    const [first] = those
    const who = those.length === 1 ? `${first!.agent} (${first!.key})` : countText(those.length, 'agent')
    return `  ${printable(`${who} ${reason}`)}`
  })
  const left = lines.length - MOST_NAMED
  return left <= 0 ? lines : [...lines.slice(0, MOST_NAMED), `  … and ${countText(left, 'more reason')}`]
}
