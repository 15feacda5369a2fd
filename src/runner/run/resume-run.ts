import { type AnyAgent, type GovernedResult, resumeGoverned } from '../../adapters/ai-sdk/index.ts'
import { type Breaches, isEnded, isPlainObject } from '../../core/index.ts'
import { edgeOf } from '../../governor/edge.ts'
import { ScopeClosedError } from '../../governor/index.ts'
import { resolveModels } from '../models/index.ts'
import { startedBefore } from '../subagents/started-before.ts'
import { refuseLink } from '../tasks/make-task-folder.ts'
import { readSmallFile } from '../tasks/read-small-file.ts'
import { taskFiles } from '../tasks/task-files.ts'
import { readTranscript } from '../tasks/transcript.ts'
import { UnknownTaskError } from '../tasks/unknown-task-error.ts'
import { addedLimits, parseAddition } from './added-limits.ts'
import type { Answer } from './end/answer.ts'
import { completeRun } from './end/complete-run.ts'
import { type FinishedRun, finishRun } from './end/finish-run.ts'
import type { RunAttempt, RunResult } from './end/run-result.ts'
import { stopWith } from './end/stop-with.ts'
import { openTools } from './open-tools.ts'
import { runFence } from './prepare-run.ts'
import { answerInterrupted } from './record/answer-interrupted.ts'
import { followEvents } from './record/follow-events.ts'
import { type RebuiltConversation, rebuiltConversation } from './record/rebuilt-conversation.ts'
import { createRunRecorder } from './record/run-recorder.ts'
import { readSavedRun } from './record/saved-run.ts'
import { createRunLog } from './run-log.ts'
import type { RunTools } from './run-tools.ts'
import type { ResumeOptions, RunnerContext } from './runner.ts'
import { buildAgent, expectRun, type RunParts } from './work-on-run.ts'

/**
 * Resumes a run that was paused, or whose process died. Of several concurrent attempts exactly one succeeds; the others
 * fail because it is not paused, and change nothing.
 */
export async function resumeRun(context: RunnerContext, id: string, options: ResumeOptions): Promise<RunResult> {
  const { governor, taskFolder, tasks } = context
  const files = taskFiles(taskFolder, id)
  refuseLink(files.folder)
  // Throws for an invalid addition before anything is claimed.
  if (options.add !== undefined) parseAddition(options.add)
  const saved = readSavedRun(files.request, id)
  if (saved === null) throw new UnknownTaskError(id, tasks.get(id) === null ? undefined : 'This task was never run')
  const scope = await governor.find(id)
  if (scope === null) throw new UnknownTaskError(id, 'This task is not in the ledger')
  if (isEnded(scope.status())) throw new ScopeClosedError(id)
  const [first, ...fallbacks] = saved.models
  const { models } = await resolveModels(context.models, first!, fallbacks, saved.untrustedModels)
  const log = createRunLog(files, tasks, id, options.onProgress)
  const startedMs = performance.now()
  const recorder = createRunRecorder(scope, log, models[0].name, attemptsBefore(files.meta))
  const parts: RunParts = { context, saved, scope, models, log, recorder }
  try {
    const result = await goOn(context, parts, options)
    const fence = runFence(context, files, saved.workingFolder)
    const { children, ...ended } = result
    return await finishRun({ governor, saved, scope, log, recorder, fence, result: ended, children, startedMs })
  } finally {
    await log.close()
  }
}

type Outcome = FinishedRun['result'] & Pick<FinishedRun, 'children'>

/** Created only by the process that has claimed the run: opening its tools ends the processes left by the old ones. */
interface Claimed {
  readonly loop: AnyAgent
  readonly tools: RunTools
  leave(): Promise<void>
}

async function goOn(context: RunnerContext, parts: RunParts, options: ResumeOptions): Promise<Outcome> {
  const { scope, log } = parts
  const rebuilt = rebuiltConversation(readTranscript(log.files.transcript), parts.saved.handedOver)
  // With a contract, an existing answer is judged rather than requested again.
  const isAnswered = scope.status() !== 'paused' || Boolean(parts.saved.acceptance)
  if (rebuilt.answer !== null && isAnswered) return finishAnswered(context, parts, rebuilt, options)
  const { pausedBy } = edgeOf(scope).end()
  expectRun(parts)
  let claimed: Claimed | null = null
  const claim = async (): Promise<readonly unknown[] | undefined> => {
    claimed = await takeUp(context, parts, options.signal)
    await raise(parts, options, pausedBy)
    await log.note('resumed', { by: options.by ?? null })
    return answerInterrupted(parts, claimed.tools, rebuilt)
  }
  // The agent is built by the claim.
  const loop: AnyAgent = {
    generate: (given) => claimed!.loop.generate(given),
    stream: (given) => claimed!.loop.stream!(given),
  }
  try {
    const result = await resume(parts, loop, rebuilt, claim, options)
    return await complete(parts, claimed!, result)
  } finally {
    await (claimed as Claimed | null)?.leave()
  }
}

async function takeUp(context: RunnerContext, parts: RunParts, signal: AbortSignal | undefined): Promise<Claimed> {
  const { saved, scope, log, models } = parts
  const { id, agent } = saved
  const tools = await openTools(context, log.files, saved, log, scope)
  const endFollowing = followEvents(context.governor, scope, log)
  const forget = stopWith(signal, scope)
  log.updateTask({ status: 'in_progress', runStatus: 'running', reason: null, resume_url: null, pid: process.pid })
  log.report({ kind: 'started', id, path: scope.path, agent: agent.name, model: models[0]!.name, isResumed: true })
  return {
    loop: buildAgent(parts, tools),
    tools,
    async leave() {
      forget()
      await endFollowing()
      await tools.close()
    },
  }
}

function resume(
  { scope, saved: { id } }: RunParts,
  loop: AnyAgent,
  rebuilt: RebuiltConversation,
  onClaimed: () => Promise<readonly unknown[] | undefined>,
  { by }: ResumeOptions,
): Promise<GovernedResult> {
  return resumeGoverned(scope, loop, {
    conversation: (document) => longer(id, rebuilt.messages, document ?? []),
    onClaimed,
    stream: true,
    close: false,
    ...(by === undefined ? {} : { by }),
  })
}

/** The longer of the two: a transcript continues after a pause, but is missing after a full disk. */
function longer(id: string, told: readonly unknown[], saved: readonly unknown[]): readonly unknown[] {
  const most = told.length > saved.length ? told : saved
  if (most.length === 0) throw new UnknownTaskError(id, 'The conversation of this task was not saved')
  return most
}

/** For a run that has its answer, but whose process died before it was checked, or before the run could end. */
async function finishAnswered(
  context: RunnerContext,
  parts: RunParts,
  rebuilt: RebuiltConversation,
  options: ResumeOptions,
): Promise<Outcome> {
  const { by, signal } = options
  const { scope, saved } = parts
  const { messages, answer } = rebuilt
  const { pausedBy } = edgeOf(scope).end()
  await scope.resume(by === undefined ? {} : { by })
  const claimed = await takeUp(context, parts, signal).catch(async (error: unknown): Promise<never> => {
    await scope.pause({ loopEnds: true, reason: 'could not continue' })
    throw error
  })
  try {
    await raise(parts, options, pausedBy)
    await claimed.tools.delegates.remember(startedBefore(saved.id, rebuilt), true)
    const said = {
      status: 'completed',
      output: answer,
      partialOutput: null,
      breach: null,
      mayBeHalfDone: false,
    } as const
    // An answer handed in with `submit` ends with the result of that call, and is added as the agent's text.
    const answered = { role: 'assistant', content: [{ type: 'text', text: answer }] }
    const last = messages.at(-1)
    const isSaid = isPlainObject(last) && last.role === 'assistant'
    const whole = isSaid ? messages : [...messages, answered]
    return await complete(parts, claimed, { ...said, error: null, messages: whole })
  } finally {
    await claimed.leave()
  }
}

async function complete(parts: RunParts, { loop, tools }: Claimed, answer: Answer): Promise<Outcome> {
  const result = await completeRun(parts, loop, tools, answer)
  return { ...result, children: await tools.delegates.finish(result.status === 'paused') }
}

/** Applies the addition, and warns of limits that will pause the run again. */
async function raise({ scope, log }: RunParts, { add, by }: ResumeOptions, pausedBy: Breaches | null): Promise<void> {
  if (add !== undefined) {
    const { limits, warnings } = await addedLimits(scope, add)
    for (const warning of warnings) log.warn(warning)
    if (limits !== null) await scope.setLimits(limits, by === undefined ? {} : { by })
  }
  for (const { meter, per, limit, source, action } of pausedBy ?? []) {
    // One that asks was answered.
    if (action !== 'pause') continue
    const isInForce = scope.limits().some((each) => each.meter === meter && each.per === per && each.max <= limit)
    if (isInForce) log.warn(`${source.written} paused it and was not raised: it will pause again at the next call.`)
  }
}

/** The attempts before the pause: a run has one list of attempts, however often it is resumed. */
function attemptsBefore(file: string): readonly RunAttempt[] {
  try {
    const { attempts } = JSON.parse(readSmallFile(file) ?? '{}') as { readonly attempts?: unknown }
    return Array.isArray(attempts) ? attempts : []
  } catch {
    return []
  }
}
