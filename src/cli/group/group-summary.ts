import { printable } from '../../core/checks/printable.ts'
import { countText } from '../../operate/count-text.ts'
import type { ChildResult, GroupResult } from '../../runner/index.ts'
import { assumedLine, standingParts } from '../exec/exec-summary.ts'
import type { Paint } from '../output/paint.ts'
import { resumeHint } from '../output/resume-hint.ts'
import { statusText } from '../output/status-text.ts'

const MOST_NAMED = 10

/** What is said when a group is over: how it ended and why, what it took and has left, and who did not complete. */
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
  return request === null ? [resume] : [`  To answer: stint approve ${request} (or: stint deny ${request})`, resume]
}

/** Each that did not complete, with its reason; those that say the same together. */
function unfinished(results: readonly ChildResult[], told: string | null): readonly string[] {
  const reasons = new Map<string, ChildResult[]>()
  for (const result of results) {
    if (result.status === 'completed') continue
    const reason = `${result.status}${result.error === null ? '' : `: ${result.error}`}`
    reasons.set(reason, [...(reasons.get(reason) ?? []), result])
  }
  if (results.length === 1 && told !== null) return []
  const lines = [...reasons].map(([reason, those]) => {
    const [first] = those
    const who = those.length === 1 ? `${first!.agent} (${first!.key})` : countText(those.length, 'agent')
    return `  ${printable(`${who} ${reason}`)}`
  })
  const left = lines.length - MOST_NAMED
  return left <= 0 ? lines : [...lines.slice(0, MOST_NAMED), `  … and ${countText(left, 'more reason')}`]
}
