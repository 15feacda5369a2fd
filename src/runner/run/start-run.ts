import { randomUUID } from 'node:crypto'
import { messageOf } from '../../core/checks/thrown.ts'
import { InvalidOptionError } from '../../core/index.ts'
import { errorWords } from '../../governor/edge.ts'
import type { Scope } from '../../governor/index.ts'
import { resolveLimits } from '../../policy/index.ts'
import { refuseLink } from '../tasks/make-task-folder.ts'
import { taskFiles } from '../tasks/task-files.ts'
import { subjectFrom } from '../tasks/task-record.ts'
import { askToStart } from './ask-to-start.ts'
import { completeRun } from './end/complete-run.ts'
import { finishRun } from './end/finish-run.ts'
import type { RunResult } from './end/run-result.ts'
import { stopWith } from './end/stop-with.ts'
import { sharedLimits } from './limit-layers.ts'
import { openTools } from './open-tools.ts'
import { type PreparedRun, prepareRun, runFence } from './prepare-run.ts'
import { followEvents } from './record/follow-events.ts'
import { createRunRecorder } from './record/run-recorder.ts'
import { readSavedRun } from './record/saved-run.ts'
import type { StartingChild } from './refused-starts.ts'
import { createRunLog, type RunLog } from './run-log.ts'
import type { ChildRequest, RunOptions } from './run-request.ts'
import type { RunTools } from './run-tools.ts'
import type { RunnerContext } from './runner.ts'
import { smallestNeeds } from './smallest-needs.ts'
import { warnOfLimitNotes } from './warn-of-limit-notes.ts'
import { beginRun, buildAgent } from './work-on-run.ts'

/** Runs an agent from its task to its end. Throws if it cannot be started: then nothing was spent. */
export async function startRun(context: RunnerContext, request: ChildRequest, options: RunOptions): Promise<RunResult> {
  const id = request.id ?? randomUUID()
  const files = taskFiles(context.taskFolder, id)
  refuseLink(files.folder)
  const isRestart = request.group?.isRestart === true
  if (!isRestart && readSavedRun(files.request, id) !== null) throw alreadyRun(id)
  const plan = await prepareRun(context, files, id, request)
  await askBefore(context, request, plan, options.signal)
  // Writing a child down takes far longer than refusing it: if it is refused, there is nothing to keep.
  const admitted = request.group === undefined ? null : await openScope(context, request, plan, options.signal)
  try {
    const result = await startPlanned(context, request, plan, admitted, options)
    const child = startingChild(request, plan)
    if (child !== null) context.refusedStarts.learn(child, result)
    return result
  } catch (error) {
    await admitted?.close('failed', errorWords(error)).catch(() => {})
    throw error
  }
}

async function startPlanned(
  context: RunnerContext,
  request: ChildRequest,
  plan: PreparedRun,
  admitted: Scope | null,
  options: RunOptions,
): Promise<RunResult> {
  const { id } = plan.saved
  const files = taskFiles(context.taskFolder, id)
  const log = createRunLog(files, context.tasks, id, options.onProgress)
  const isOurs = log.claim(`${JSON.stringify(plan.saved, null, 2)}\n`)
  if (!isOurs && request.group?.isRestart !== true) throw alreadyRun(id)
  saveTask(context, plan, log)
  let tools: RunTools | null = null
  try {
    // Before the tools, so that a slow MCP server counts toward the deadline.
    const scope = admitted ?? (await openScope(context, request, plan, options.signal))
    const forget = stopWith(options.signal, scope)
    try {
      // From here on, it can be resumed if it is killed.
      for (const message of [...plan.before, plan.first]) await log.record(message)
      tools = await openTools(context, files, plan.saved, log, scope, { isNew: isOurs })
      return await runToEnd(context, { plan, log, tools, scope })
    } catch (error) {
      await scope.close('failed', errorWords(error)).catch(() => {})
      throw error
    } finally {
      forget()
    }
  } catch (error) {
    const message = messageOf(error)
    log.updateTask({ status: 'failed', runStatus: 'failed', error: message, endedAtMs: Date.now() })
    throw error
  } finally {
    await tools?.close()
    await log.close()
  }
}

/** A child that was registered with its group was already asked about. */
async function askBefore(
  context: RunnerContext,
  { within, group }: ChildRequest,
  { saved: { id, agent, task }, layers }: PreparedRun,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (!within || group?.isEntered === true) return
  const cost = resolveLimits(layers).max.cost
  const question = `Start ${agent.name}: ${subjectFrom(task)}?`
  await askToStart(context, within, { id, agents: 1, cost, question, signal })
}

function alreadyRun(id: string): InvalidOptionError {
  const form = `the id of a task that has not run yet; to continue it: stint resume ${id}`
  return new InvalidOptionError('The id', id, form)
}

interface OpenedRun {
  readonly plan: PreparedRun
  readonly log: RunLog
  readonly tools: RunTools
  readonly scope: Scope
}

async function runToEnd(context: RunnerContext, { plan, log, tools, scope }: OpenedRun): Promise<RunResult> {
  const { saved, models, before, first } = plan
  const startedMs = performance.now()
  const recorder = createRunRecorder(scope, log, models[0]!.name)
  const endFollowing = followEvents(context.governor, scope, log)
  try {
    log.updateTask({ status: 'in_progress', runStatus: 'running', pid: process.pid, startedAtMs: saved.startedAtMs })
    const { id, agent } = saved
    log.report({ kind: 'started', id, path: scope.path, agent: agent.name, model: models[0]!.name, isResumed: false })
    warnOfLimitNotes(scope, log)
    const parts = { context, saved, scope, models, log, recorder }
    const loop = buildAgent(parts, tools)
    const begun = await beginRun(parts, loop, [...before, first])
    const result = await completeRun(parts, loop, tools, begun)
    const children = await tools.delegates.finish(result.status === 'paused')
    await endFollowing()
    const fence = runFence(context, log.files, saved.workingFolder)
    return await finishRun({
      governor: context.governor,
      saved,
      scope,
      log,
      recorder,
      fence,
      result,
      children,
      startedMs,
    })
  } finally {
    await endFollowing()
  }
}

/** Saves the task before anything is spent. */
function saveTask({ tasks }: RunnerContext, { saved, first, warnings }: PreparedRun, log: RunLog): void {
  const { id, agent, task, description, workingFolder, models, group = null } = saved
  const subject = description ?? subjectFrom(task)
  try {
    if (tasks.get(id) === null) tasks.create({ id, subject, description })
  } catch {
    // The update below warns about it.
  }
  log.updateTask({ agent: agent.name, task, workingFolder, model: models[0] ?? null, parent: group?.id ?? null })
  log.write('input', `${first.content}\n`)
  for (const warning of warnings) log.warn(warning)
}

/** Of an agent that another run or a group starts; `null` for a run of its own. */
function startingChild({ group, within }: ChildRequest, plan: PreparedRun): StartingChild | null {
  if (group === undefined || !within) return null
  return { saved: plan.saved, parentId: within.id, needs: smallestNeeds(plan, within) }
}

function openScope(
  { governor, aboutRun, refusedStarts, waitsForAnswer = true }: RunnerContext,
  request: ChildRequest,
  plan: PreparedRun,
  signal: AbortSignal | undefined,
): Promise<Scope> {
  const { saved, layers } = plan
  const { agent, name = agent.name, within, team, user, group } = request
  const child = startingChild(request, plan)
  return governor.open({
    name,
    id: saved.id,
    layers,
    agentType: agent.name,
    taskId: saved.id,
    ...(aboutRun === undefined ? {} : { about: aboutRun(saved.description ?? saved.task) }),
    wrapUp: saved.wrapUp,
    sharedLimits: sharedLimits(request),
    ...(within === undefined ? {} : { within }),
    ...(team === undefined ? {} : { team }),
    ...(user === undefined ? {} : { user }),
    ...(child === null ? {} : { needs: refusedStarts.needsOf(child) }),
    waitsForAnswer,
    ...(group === undefined || signal === undefined ? {} : { signal }),
  })
}
