import { randomUUID } from 'node:crypto'
import { InvalidOptionError } from '../../core/index.ts'
import { errorWords } from '../../governor/edge.ts'
import type { Scope } from '../../governor/index.ts'
import { refuseLink } from '../tasks/make-task-folder.ts'
import { subjectFrom } from '../tasks/subject-from.ts'
import { taskFiles } from '../tasks/task-files.ts'
import type { RunnerTools } from '../tools/create-tools.ts'
import { finishRun } from './finish-run.ts'
import { followEvents } from './follow-events.ts'
import { sharedLimits } from './limit-layers.ts'
import { openTools } from './open-tools.ts'
import { planRun, type RunPlan, runFence } from './plan-run.ts'
import { createRunDesk, type RunDesk } from './run-desk.ts'
import { createRunRecorder } from './run-recorder.ts'
import type { RunOptions, RunRequest } from './run-request.ts'
import type { RunResult } from './run-result.ts'
import type { RunnerContext } from './runner-context.ts'
import { readSavedRun } from './saved-run.ts'
import { since } from './since.ts'
import { stopWith } from './stop-with.ts'
import { tellNotes } from './tell-notes.ts'
import { beginRun, buildAgent, guardCompletion, refuseEndless } from './work-on-run.ts'

/** Runs an agent from its task to its end. Throws where it cannot be started: then nothing was spent. */
export async function startRun(context: RunnerContext, request: RunRequest, options: RunOptions): Promise<RunResult> {
  const id = request.id ?? randomUUID()
  const files = taskFiles(context.taskFolder, id)
  refuseLink(files.folder)
  if (readSavedRun(files.request, id) !== null) throw alreadyRun(id)
  const plan = await planRun(context, files, id, request)
  const desk = createRunDesk(files, context.tasks, id, options.onProgress)
  if (!desk.claim(`${JSON.stringify(plan.saved, null, 2)}\n`)) throw alreadyRun(id)
  layOut(context, plan, desk)
  let tools: RunnerTools | null = null
  try {
    // Before the tools: a server that is slow to start is under the deadline, too.
    const scope = await openScope(context, request, plan)
    const forget = stopWith(options.signal, scope)
    try {
      // Killed from here on, it can be gone on with.
      await desk.record(plan.first)
      tools = await openTools(context, files, plan.saved, desk, scope)
      return await runToEnd(context, { plan, desk, tools, scope })
    } catch (error) {
      await scope.close('failed', errorWords(error)).catch(() => {})
      throw error
    } finally {
      forget()
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    desk.updateTask({ status: 'failed', runStatus: 'failed', error: message, endedAtMs: Date.now() })
    throw error
  } finally {
    await tools?.close()
    await desk.close()
  }
}

function alreadyRun(id: string): InvalidOptionError {
  const form = `one of a task that was not run yet; to go on with it: stint resume ${id}`
  return new InvalidOptionError('The id', id, form)
}

interface OpenedRun {
  readonly plan: RunPlan
  readonly desk: RunDesk
  readonly tools: RunnerTools
  readonly scope: Scope
}

async function runToEnd(context: RunnerContext, { plan, desk, tools, scope }: OpenedRun): Promise<RunResult> {
  const { saved, models, first } = plan
  const startedMs = performance.now()
  const recorder = createRunRecorder(scope, desk, models[0]!.name)
  const endFollowing = followEvents(context.governor, scope, desk)
  try {
    desk.updateTask({ status: 'in_progress', runStatus: 'running', pid: process.pid, startedAtMs: saved.startedAtMs })
    const { id, agent } = saved
    desk.tell({ kind: 'started', id, path: scope.path, agent: agent.name, model: models[0]!.name, isResumed: false })
    tellNotes(scope, desk)
    const parts = { saved, scope, models, desk, recorder }
    const loop = buildAgent(parts, tools)
    const result = refuseEndless(await guardCompletion(parts, loop, tools, await beginRun(parts, loop, first)))
    await endFollowing()
    const fence = runFence(context, desk.files, saved.workingFolder)
    return await finishRun({
      governor: context.governor,
      saved,
      scope,
      desk,
      recorder,
      fence,
      result,
      durationMs: since(startedMs),
    })
  } finally {
    await endFollowing()
  }
}

/** Writes down what is to be run, before anything is spent. */
function layOut({ tasks }: RunnerContext, { saved, first, warnings }: RunPlan, desk: RunDesk): void {
  const { id, agent, task, description, workingFolder, models } = saved
  const subject = description ?? subjectFrom(task)
  try {
    if (tasks.get(id) === null) tasks.create({ id, subject, description })
  } catch {
    // Said with the update below.
  }
  desk.updateTask({ agent: agent.name, task, workingFolder, model: models[0] ?? null })
  desk.write('input', `${first.content}\n`)
  for (const warning of warnings) desk.warn(warning)
}

function openScope({ governor }: RunnerContext, request: RunRequest, { saved, layers }: RunPlan): Promise<Scope> {
  const { agent, name = agent.name, within, team, user } = request
  return governor.open({
    name,
    id: saved.id,
    layers,
    agentType: agent.name,
    taskId: saved.id,
    wrapUp: saved.wrapUp,
    sharedLimits: sharedLimits(request),
    ...(within === undefined ? {} : { within }),
    ...(team === undefined ? {} : { team }),
    ...(user === undefined ? {} : { user }),
  })
}
