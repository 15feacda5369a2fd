import { type Breach, countStatuses, type EndStatus, groupStatus, isEnded } from '../../core/index.ts'
import { edgeOf } from '../../governor/edge.ts'
import { limitText } from '../run/end/end-text.ts'
import type { RunStatus } from '../run/end/run-result.ts'
import { taskState, taskStatusOf } from '../run/record/task-state.ts'
import { resumeUrl } from '../tasks/task-record.ts'
import type { ChildResult, GroupResult } from './group-result.ts'
import type { GroupRun } from './group-run.ts'
import type { GroupOutcome } from './work-on-group.ts'

/** Ends the scope of a group, or leaves it paused, stores the result, and returns it. */
export async function finishGroup(run: GroupRun, outcome: GroupOutcome, durationMs: number): Promise<GroupResult> {
  const { saved, scope, log, files } = run
  const { results } = outcome
  const status = statusOf(outcome)
  const breach = outcome.breach ?? worstOf(results, status)?.breach ?? null
  const error = errorOf(outcome, status, breach)
  const asking = status === 'paused' ? edgeOf(scope).pauseOnPath() : null
  const reason = error ?? asking?.reason ?? (status === 'paused' ? pausedText(results) : status)
  if (status === 'paused') {
    if (scope.status() === 'running') await scope.pause({ loopEnds: true, reason })
  } else if (!isEnded(scope.status())) await edgeOf(scope).endAs(status as EndStatus, reason)
  const isDone = status === 'completed'
  const text = outcome.output.trim() === '' ? null : outcome.output
  const hasOutput = text !== null && log.write('output', `${text.trimEnd()}\n`)
  const { folder, shared, meta, output } = files
  const whole: GroupResult = {
    id: saved.id,
    name: saved.name,
    mode: saved.mode,
    path: scope.path,
    status,
    counts: countStatuses(results.map((each) => each.status)),
    results,
    output: isDone ? (text ?? '') : null,
    partialOutput: isDone ? null : text,
    breach,
    timedOut: status === 'timed-out' || results.some(({ timedOut }) => timedOut),
    error,
    usage: await scope.usage(),
    durationMs,
    artifacts: { folder, shared, output: hasOutput ? output : null, meta },
    resumeUrl: status === 'paused' ? resumeUrl(saved.id) : null,
    request: asking?.request ?? null,
    warnings: [...log.warnings],
  }
  keep(run, whole, reason)
  return { ...whole, warnings: [...log.warnings] }
}

function keep({ saved, log }: GroupRun, whole: GroupResult, reason: string): void {
  const { status, breach, usage } = whole
  const { task, workingFolder, startedAtMs } = saved
  const endedAtMs = Date.now()
  log.write('meta', `${JSON.stringify({ ...whole, task, workingFolder, startedAtMs, endedAtMs }, null, 2)}\n`)
  const taskStatus = taskStatusOf(status)
  const isLimit = breach !== null && (status === 'limit-reached' || status === 'timed-out')
  log.updateTask({
    status: taskStatus,
    runStatus: status,
    reason: status === 'paused' ? reason : null,
    error: taskStatus === 'failed' ? (isLimit ? limitText(breach) : whole.error) : null,
    resume_url: whole.resumeUrl,
    state: taskState(usage),
    warnings: whole.warnings,
    endedAtMs: status === 'paused' ? null : endedAtMs,
  })
}

/** A group is as good as its worst member; if a step could not begin, it has failed, unless a limit is the reason. */
function statusOf({ results, error, breach }: GroupOutcome): RunStatus {
  if (breach !== null) return breach.meter === 'wallTime' ? 'timed-out' : 'limit-reached'
  if (error !== null) return 'failed'
  const status = groupStatus(results.map((each) => each.status))
  return status === 'queued' || status === 'running' || status === 'detached' ? 'paused' : status
}

function worstOf(results: readonly ChildResult[], status: RunStatus): ChildResult | null {
  return results.find((each) => each.status === status) ?? null
}

function errorOf(outcome: GroupOutcome, status: RunStatus, breach: Breach | null): string | null {
  if (outcome.error !== null) return outcome.error
  if (status === 'completed' || status === 'paused') return null
  const worst = worstOf(outcome.results, status)
  if (status === 'timed-out' && breach !== null) return `Timed out after ${breach.limit}ms.`
  return worst === null ? null : `${worst.agent} (${worst.key}): ${worst.error ?? worst.status}`
}

function pausedText(results: readonly ChildResult[]): string {
  const paused = results.find(({ status }) => status === 'paused')
  if (paused === undefined) return 'Paused'
  return paused.breach === null ? `${paused.agent} (${paused.key}) is paused` : limitText(paused.breach)
}
