import { type AnyAgent, type GovernedResult, resumeGoverned } from '../../adapters/ai-sdk/index.ts'
import { type Breaches, isEnded } from '../../core/index.ts'
import { endOf, ScopeClosedError } from '../../governor/index.ts'
import { resolveModels } from '../models/index.ts'
import { refuseLink } from '../tasks/make-task-folder.ts'
import { readSmallFile } from '../tasks/read-small-file.ts'
import { readTranscript } from '../tasks/read-transcript.ts'
import { taskFiles } from '../tasks/task-files.ts'
import { UnknownTaskError } from '../tasks/unknown-task-error.ts'
import type { RunnerTools } from '../tools/create-tools.ts'
import { addedLimits, parseAddition } from './added-limits.ts'
import { finishRun } from './finish-run.ts'
import { followEvents } from './follow-events.ts'
import { openTools } from './open-tools.ts'
import { runFence } from './plan-run.ts'
import { type RebuiltConversation, rebuiltConversation } from './rebuilt-conversation.ts'
import { createRunDesk } from './run-desk.ts'
import { createRunRecorder } from './run-recorder.ts'
import type { RunAttempt, RunResult } from './run-result.ts'
import type { ResumeOptions } from './runner.ts'
import type { RunnerContext } from './runner-context.ts'
import { readSavedRun } from './saved-run.ts'
import { since } from './since.ts'
import { stopWith } from './stop-with.ts'
import { buildAgent, expectRun, guardCompletion, type RunParts, refuseEndless } from './work-on-run.ts'

/**
 * Goes on with a run that was paused, or whose process died, as it was begun. Exactly one of all who try does; the
 * others are told that it is not paused, and have changed nothing.
 */
export async function resumeRun(context: RunnerContext, id: string, options: ResumeOptions): Promise<RunResult> {
  const { governor, taskFolder, tasks } = context
  const files = taskFiles(taskFolder, id)
  refuseLink(files.folder)
  // What cannot be added is found before anything is claimed.
  if (options.add !== undefined) parseAddition(options.add)
  const saved = readSavedRun(files.request, id)
  if (saved === null) throw new UnknownTaskError(id, tasks.get(id) === null ? undefined : 'This task was never run')
  const scope = await governor.find(id)
  if (scope === null) throw new UnknownTaskError(id, 'The ledger knows nothing of this task')
  if (isEnded(scope.status())) throw new ScopeClosedError(id)
  const [first, ...fallbacks] = saved.models
  const { models } = await resolveModels(context.models, first!, fallbacks, saved.untrustedModels)
  const desk = createRunDesk(files, tasks, id, options.onProgress)
  const startedMs = performance.now()
  const recorder = createRunRecorder(scope, desk, models[0].name, attemptsBefore(files.meta))
  const parts: RunParts = { saved, scope, models, desk, recorder }
  try {
    const result = await goOn(context, parts, options)
    const fence = runFence(context, files, saved.workingFolder)
    return await finishRun({ governor, saved, scope, desk, recorder, fence, result, durationMs: since(startedMs) })
  } finally {
    await desk.close()
  }
}

type Outcome = Parameters<typeof finishRun>[0]['result']

/** What is there only for the one who may go on: tools that are made anew end what the old ones left running. */
interface Claimed {
  readonly loop: AnyAgent
  readonly tools: RunnerTools
  leave(): Promise<void>
}

async function goOn(context: RunnerContext, parts: RunParts, options: ResumeOptions): Promise<Outcome> {
  const { scope, desk } = parts
  const rebuilt = rebuiltConversation(readTranscript(desk.files.transcript))
  if (rebuilt.isDone && scope.status() !== 'paused') return closeDone(parts, rebuilt, options)
  const { pausedBy } = endOf(scope)
  expectRun(parts)
  let claimed: Claimed | null = null
  const claim = async (): Promise<void> => {
    claimed = await takeUp(context, parts, options.signal)
    await raise(parts, options, pausedBy)
    await desk.note('resumed', { by: options.by ?? null })
    for (const result of rebuilt.interrupted) await desk.record({ role: 'tool', content: [result] })
  }
  // The agent is built by the claim.
  const loop: AnyAgent = {
    generate: (given) => claimed!.loop.generate(given),
    stream: (given) => claimed!.loop.stream!(given),
  }
  try {
    const result = await resume(parts, loop, rebuilt, claim, options)
    return refuseEndless(await guardCompletion(parts, loop, claimed!.tools, result))
  } finally {
    await (claimed as Claimed | null)?.leave()
  }
}

async function takeUp(context: RunnerContext, parts: RunParts, signal: AbortSignal | undefined): Promise<Claimed> {
  const { saved, scope, desk, models } = parts
  const { id, agent } = saved
  const tools = await openTools(context, desk.files, saved, desk, scope)
  const endFollowing = followEvents(context.governor, scope, desk)
  const forget = stopWith(signal, scope)
  desk.updateTask({ status: 'in_progress', runStatus: 'running', reason: null, resume_url: null, pid: process.pid })
  desk.tell({ kind: 'started', id, path: scope.path, agent: agent.name, model: models[0]!.name, isResumed: true })
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
  onClaimed: () => Promise<void>,
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

/** Whichever knows more: a transcript goes on after a pause, and a full disk keeps none. */
function longer(id: string, told: readonly unknown[], saved: readonly unknown[]): readonly unknown[] {
  const most = told.length > saved.length ? told : saved
  if (most.length === 0) throw new UnknownTaskError(id, 'Nothing was kept of what was said in this task')
  return most
}

/** It had given its answer, and died before it could say so. */
async function closeDone(
  { scope }: RunParts,
  { messages }: RebuiltConversation,
  { by }: ResumeOptions,
): Promise<Outcome> {
  await scope.resume(by === undefined ? {} : { by })
  const { content } = messages.at(-1) as { readonly content: readonly { readonly text?: unknown }[] }
  const output = content.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('')
  return { status: 'completed', output, partialOutput: null, breach: null, mayBeHalfDone: false, error: null }
}

/** Gives it so much more, and says which limit will pause it again. */
async function raise({ scope, desk }: RunParts, { add, by }: ResumeOptions, pausedBy: Breaches | null): Promise<void> {
  if (add !== undefined) {
    const { limits, warnings } = await addedLimits(scope, add)
    for (const warning of warnings) desk.warn(warning)
    if (limits !== null) await scope.setLimits(limits, by === undefined ? {} : { by })
  }
  for (const { meter, per, limit, source } of pausedBy ?? []) {
    const isInForce = scope.limits().some((each) => each.meter === meter && each.per === per && each.max <= limit)
    if (isInForce) desk.warn(`${source.written} had paused it and was not raised: it pauses again at the next call.`)
  }
}

/** What was tried before it paused: a run has one list of attempts, however often it was resumed. */
function attemptsBefore(file: string): readonly RunAttempt[] {
  try {
    const { attempts } = JSON.parse(readSmallFile(file) ?? '{}') as { readonly attempts?: unknown }
    return Array.isArray(attempts) ? attempts : []
  } catch {
    return []
  }
}
