import type { GovernedResult } from '../../adapters/ai-sdk/index.ts'
import { type EndStatus, isEnded } from '../../core/index.ts'
import { edgeOf } from '../../governor/edge.ts'
import type { Governor, Scope } from '../../governor/index.ts'
import { resumeUrl } from '../tasks/resume-url.ts'
import type { Fence } from '../tools/files/fence.ts'
import { endText, limitText, resourceLimitExceeded } from './end-text.ts'
import { writeOutput } from './output-file.ts'
import { errorText } from './recorded-tools.ts'
import type { RunDesk } from './run-desk.ts'
import type { RunRecorder } from './run-recorder.ts'
import type { RunResult } from './run-result.ts'
import type { SavedRun } from './saved-run.ts'
import { taskState, taskStatusOf } from './task-state.ts'
import { tellNotes } from './tell-notes.ts'

/** A run that has come to its end, or stands. */
export interface FinishedRun {
  readonly governor: Governor
  readonly saved: SavedRun
  readonly scope: Scope
  readonly desk: RunDesk
  readonly recorder: RunRecorder
  readonly fence: Fence
  readonly result: Pick<GovernedResult, 'status' | 'output' | 'partialOutput' | 'breach' | 'mayBeHalfDone' | 'error'>
  readonly durationMs: number
}

/** Ends the scope of a run, writes down what became of it, and returns the same. */
export async function finishRun(given: FinishedRun): Promise<RunResult> {
  const run = { ...given, result: await lastLook(given) }
  const { saved, scope, desk, recorder, result, durationMs } = run
  const { status, breach, mayBeHalfDone } = result
  const resource = resourceLimitExceeded(result, saved.agent.name, saved.words)
  const error = endText(result, resource)
  if (status !== 'paused' && !isEnded(scope.status())) await edgeOf(scope).endAs(status as EndStatus, error ?? status)
  const pausedBy = status === 'paused' && breach === null ? reasonOf(scope) : null
  if (pausedBy !== null) desk.warn(`Paused: ${pausedBy}`)
  tellNotes(scope, desk)
  const answer = status === 'completed' ? textOf(result.output) : null
  const output = answer === null ? null : handOver(run, answer)
  const said = answer ?? result.partialOutput
  const hasOutput = said !== null && desk.write('output', `${said.trimEnd()}\n`)
  const { folder, input, transcript, meta } = desk.files
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
    usage: await scope.usage(),
    model: recorder.attempts().findLast((attempt) => attempt.status === 'answered')?.model ?? null,
    attempts: recorder.attempts(),
    durationMs,
    mayBeHalfDone,
    children: [],
    artifacts: { folder, input, output: hasOutput ? desk.files.output : null, transcript, meta },
    resumeUrl: status === 'paused' ? resumeUrl(saved.id) : null,
    warnings: desk.warnings,
  }
  await keep(run, whole)
  return { ...whole, warnings: [...desk.warnings] }
}

/** Who stops a run pauses it first, so that a loop may leave in between: then it is stopped all the same. */
async function lastLook({ governor, scope, result }: FinishedRun): Promise<FinishedRun['result']> {
  if (result.status !== 'paused') return result
  const status = (await governor.find(scope.id))?.status()
  return status === 'stopped' ? { ...result, status, breach: null } : result
}

async function keep({ saved, scope, desk, result }: FinishedRun, whole: RunResult): Promise<void> {
  const { status, usage, breach } = whole
  const endedAtMs = Date.now()
  const { task, workingFolder, startedAtMs } = saved
  await desk.note('ended', { status, error: whole.error })
  const meta = { ...whole, task, workingFolder, startedAtMs, endedAtMs, explained: scope.explain() }
  desk.write('meta', `${JSON.stringify(meta, null, 2)}\n`)
  const isPaused = status === 'paused'
  const taskStatus = taskStatusOf(status)
  desk.updateTask({
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

/** Why it is paused, where somebody has given a reason. */
function reasonOf(scope: Scope): string | null {
  const { reason } = edgeOf(scope).end()
  return reason === 'paused by hand' ? null : reason
}

function taskError({ breach, status }: FinishedRun['result'], { error }: RunResult): string | null {
  return breach !== null && (status === 'limit-reached' || status === 'timed-out') ? limitText(breach) : error
}

/** Writes the answer where it is to go, and returns what the caller gets of it. */
function handOver({ saved, fence, desk }: FinishedRun, answer: string): string {
  const { agent, output } = saved
  if (output === null) return answer
  try {
    writeOutput(fence, output, answer)
    return agent.outputMode === 'file-only' ? output.path : answer
  } catch (error) {
    desk.warn(`The answer could not be written to ${output.path} (${errorText(error)}). It is in the result.`)
    return answer
  }
}

function textOf(output: unknown): string {
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
}
