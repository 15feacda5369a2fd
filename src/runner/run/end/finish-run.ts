import type { GovernedResult } from '../../../adapters/ai-sdk/index.ts'
import { type EndStatus, isEnded } from '../../../core/index.ts'
import { edgeOf } from '../../../governor/edge.ts'
import type { Governor, Scope } from '../../../governor/index.ts'
import type { AcceptanceResult } from '../../acceptance/acceptance-result.ts'
import type { ChildResult } from '../../groups/group-result.ts'
import { resumeUrl } from '../../tasks/task-record.ts'
import type { Fence } from '../../tools/files/fence.ts'
import { errorText } from '../record/recorded-tools.ts'
import type { RunRecorder } from '../record/run-recorder.ts'
import type { SavedRun } from '../record/saved-run.ts'
import { taskState, taskStatusOf } from '../record/task-state.ts'
import type { RunLog } from '../run-log.ts'
import { warnOfLimitNotes } from '../warn-of-limit-notes.ts'
import { endText, limitText, resourceLimitExceeded } from './end-text.ts'
import { writeOutput } from './output-file.ts'
import type { RunResult } from './run-result.ts'

/** A run that has ended or is paused. */
export interface FinishedRun {
  readonly governor: Governor
  readonly saved: SavedRun
  readonly scope: Scope
  readonly log: RunLog
  readonly recorder: RunRecorder
  readonly fence: Fence
  readonly result: Pick<
    GovernedResult,
    'status' | 'output' | 'partialOutput' | 'breach' | 'mayBeHalfDone' | 'error'
  > & {
    readonly structured?: unknown
    readonly acceptance?: AcceptanceResult
  }
  /** The results of the agents that it gave work to. */
  readonly children: readonly ChildResult[]
  /** By `performance.now()`. */
  readonly startedMs: number
}

/** Ends the run's scope, writes the result to disk, and returns it. */
export async function finishRun(given: FinishedRun): Promise<RunResult> {
  const run = { ...given, result: await lastLook(given) }
  const { saved, scope, log, recorder, result } = run
  const { status, breach, mayBeHalfDone } = result
  const resource = resourceLimitExceeded(result, saved.agent.name, saved.words)
  const error = endText(result, resource)
  if (status !== 'paused' && !isEnded(scope.status())) await edgeOf(scope).endAs(status as EndStatus, error ?? status)
  const pausedBy = status === 'paused' && breach === null ? reasonOf(scope) : null
  if (pausedBy !== null) log.warn(`Paused: ${pausedBy}`)
  warnOfLimitNotes(scope, log)
  const answer = status === 'completed' ? textOf(result.output) : null
  const output = answer === null ? null : handOver(run, answer)
  const said = answer ?? result.partialOutput
  const hasOutput = said !== null && log.write('output', `${said.trimEnd()}\n`)
  const { folder, input, transcript, meta } = log.files
  const whole: RunResult = {
    id: saved.id,
    agent: saved.agent.name,
    path: scope.path,
    status,
    output,
    partialOutput: result.partialOutput,
    breach,
    timedOut: status === 'timed-out',
    error,
    ...(resource === null ? {} : { resourceLimitExceeded: resource }),
    ...(result.structured === undefined ? {} : { structured: result.structured }),
    ...(result.acceptance === undefined ? {} : { acceptance: result.acceptance }),
    usage: await scope.usage(),
    model: recorder.attempts().findLast((attempt) => attempt.status === 'answered')?.model ?? null,
    attempts: recorder.attempts(),
    durationMs: Math.round(performance.now() - given.startedMs),
    mayBeHalfDone,
    children: run.children,
    artifacts: { folder, input, output: hasOutput ? log.files.output : null, transcript, meta },
    resumeUrl: status === 'paused' ? resumeUrl(saved.id) : null,
    request: status === 'paused' ? (edgeOf(scope).pauseOnPath()?.request ?? null) : null,
    warnings: log.warnings,
  }
  await keep(run, whole)
  return { ...whole, warnings: [...log.warnings] }
}

/** Stopping a run pauses it first, and the loop may end in between: such a run counts as stopped. */
async function lastLook({ governor, scope, result }: FinishedRun): Promise<FinishedRun['result']> {
  if (result.status !== 'paused') return result
  const status = (await governor.find(scope.id))?.status()
  return status === 'stopped' ? { ...result, status, breach: null } : result
}

async function keep({ saved, scope, log, result }: FinishedRun, whole: RunResult): Promise<void> {
  const { status, usage, breach } = whole
  const endedAtMs = Date.now()
  const { task, workingFolder, startedAtMs } = saved
  await log.note('ended', { status, error: whole.error })
  const meta = { ...whole, task, workingFolder, startedAtMs, endedAtMs, explained: scope.explain() }
  log.write('meta', `${JSON.stringify(meta, null, 2)}\n`)
  const isPaused = status === 'paused'
  const taskStatus = taskStatusOf(status)
  log.updateTask({
    status: taskStatus,
    runStatus: status,
    reason: isPaused ? (breach === null ? (reasonOf(scope) ?? 'Paused by hand') : limitText(breach)) : null,
    error: taskStatus === 'failed' ? taskError(result, whole) : null,
    resume_url: whole.resumeUrl,
    state: taskState(usage),
    warnings: whole.warnings,
    model: whole.model,
    endedAtMs: isPaused ? null : endedAtMs,
  })
}

/** Why it is paused, if a reason was given. */
function reasonOf(scope: Scope): string | null {
  const { reason } = edgeOf(scope).end()
  return reason === 'paused by hand' ? null : reason
}

function taskError({ breach, status }: FinishedRun['result'], { error }: RunResult): string | null {
  return breach !== null && (status === 'limit-reached' || status === 'timed-out') ? limitText(breach) : error
}

/** Writes the answer to its file, if any, and returns what the caller gets. */
function handOver({ saved, fence, log }: FinishedRun, answer: string): string {
  const { agent, output } = saved
  if (output === null) return answer
  try {
    writeOutput(fence, output, answer)
    return agent.outputMode === 'file-only' ? output.path : answer
  } catch (error) {
    log.warn(`The answer could not be written to ${output.path} (${errorText(error)}). It is in the result.`)
    return answer
  }
}

function textOf(output: unknown): string {
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
}
