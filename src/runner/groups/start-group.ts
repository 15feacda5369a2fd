import { randomUUID } from 'node:crypto'
import { InvalidOptionError } from '../../core/index.ts'
import { errorWords } from '../../governor/edge.ts'
import type { Scope } from '../../governor/index.ts'
import { makeFolder } from '../../system/index.ts'
import { askToStart } from '../run/ask-to-start.ts'
import { followEvents } from '../run/record/follow-events.ts'
import { errorText } from '../run/record/recorded-tools.ts'
import { createRunLog, type RunLog } from '../run/run-log.ts'
import type { RunProgress } from '../run/run-progress.ts'
import type { RunnerContext } from '../run/runner.ts'
import { warnOfLimitNotes } from '../run/warn-of-limit-notes.ts'
import { refuseLink } from '../tasks/make-task-folder.ts'
import { subjectFrom } from '../tasks/task-record.ts'
import { finishGroup } from './finish-group.ts'
import { type GroupFiles, groupFiles } from './group-files.ts'
import type { GroupProgress } from './group-progress.ts'
import type { GroupOptions, GroupRequest } from './group-request.ts'
import type { GroupResult } from './group-result.ts'
import type { GroupRun } from './group-run.ts'
import type { ParsedGroup } from './parse-group.ts'
import { type PreparedGroup, prepareGroup } from './prepare-group.ts'
import type { SavedGroup } from './saved-group.ts'
import { workOnGroup } from './work-on-group.ts'

/** Runs a group from its first agent to its end. Throws if it cannot be started: then nothing was spent. */
export async function startGroup(
  context: RunnerContext,
  request: GroupRequest,
  group: ParsedGroup,
  options: GroupOptions & {
    /** It may have been started by a process that died before it opened its scope. */
    readonly isRestart?: boolean
    /** The run whose agent ordered it. */
    readonly parent?: string
  },
): Promise<GroupResult> {
  const id = request.id ?? randomUUID()
  const files = groupFiles(context.taskFolder, id)
  refuseLink(files.folder)
  const plan = await prepareGroup(context, files, id, request, group)
  // Ordered by an agent: its run is what waits for the answer. Any other group asks by itself.
  if (request.within && options.parent !== undefined) {
    const { consent, cost } = plan
    await askToStart(context, request.within, { ...consent, id, cost, signal: options.signal })
  }
  const { log, tell } = openLog(context, files, id, options)
  const isOurs = log.claim(`${JSON.stringify(plan.saved, null, 2)}\n`)
  if (!isOurs && options.isRestart !== true) throw alreadyRun(id)
  layOut(context, plan, log, options.parent ?? null)
  try {
    const scope = await openScope(context, request, plan)
    return await runGroup({ context, saved: plan.saved, files, scope, log, isResumed: false, tell }, options)
  } catch (error) {
    log.updateTask({ status: 'failed', runStatus: 'failed', error: errorText(error), endedAtMs: Date.now() })
    throw error
  } finally {
    await log.close()
  }
}

function alreadyRun(id: string): InvalidOptionError {
  const form = `one that no group has used; to resume that group: stint resume ${id}`
  return new InvalidOptionError('The id', id, form)
}

/** The record of a group on disk, and its progress reports. */
export function openLog(
  context: RunnerContext,
  files: GroupFiles,
  id: string,
  { onProgress }: GroupOptions,
): { readonly log: RunLog; readonly tell: (progress: GroupProgress) => void } {
  const tell = (progress: GroupProgress): void => {
    try {
      onProgress?.(progress)
    } catch {
      // A listener must not affect the group.
    }
  }
  const log = createRunLog(files, context.tasks, id, (progress: RunProgress) => {
    if (progress.kind === 'asking') tell({ kind: 'asking', request: progress.request, question: progress.reason })
    // The reason for a pause is reported at the end.
    else if (progress.kind !== 'paused' && 'message' in progress) tell({ kind: 'warning', message: progress.message })
  })
  try {
    makeFolder(files.shared)
  } catch (error) {
    log.warn(`The folder that its agents share could not be created (${errorText(error)}).`)
  }
  return { log, tell }
}

/** Runs a group whose scope is open to its end, and always closes the scope. */
export async function runGroup(opened: Omit<GroupRun, 'signal'>, { signal }: GroupOptions): Promise<GroupResult> {
  const { context, saved, scope, log, tell, isResumed } = opened
  const startedMs = performance.now()
  const endFollowing = followEvents(context.governor, scope, log)
  try {
    log.updateTask({ status: 'in_progress', runStatus: 'running', reason: null, resume_url: null, pid: process.pid })
    tell({ kind: 'started', id: saved.id, path: scope.path, mode: saved.mode, steps: saved.steps.length, isResumed })
    warnOfLimitNotes(scope, log)
    const run: GroupRun = { ...opened, signal: signal ?? new AbortController().signal }
    const outcome = await workOnGroup(run)
    await endFollowing()
    return await finishGroup(run, outcome, Math.round(performance.now() - startedMs))
  } catch (error) {
    await scope.close('failed', errorWords(error)).catch(() => {})
    throw error
  } finally {
    await endFollowing()
  }
}

/** Saves what is to be run, before anything is spent. */
function layOut(
  { tasks }: RunnerContext,
  { saved, warnings }: PreparedGroup,
  log: RunLog,
  parent: string | null,
): void {
  const { id, name, task, description, workingFolder, startedAtMs } = saved
  const subject = description ?? subjectFrom(task === '' ? tasksText(saved) : task)
  try {
    if (tasks.get(id) === null) tasks.create({ id, subject, description })
  } catch {
    // The update below warns about it.
  }
  log.updateTask({ agent: name, task: task === '' ? tasksText(saved) : task, workingFolder, startedAtMs, parent })
  log.write('input', `${task === '' ? tasksText(saved) : task}\n`)
  for (const warning of warnings) log.warn(warning)
}

function tasksText({ steps }: SavedGroup): string {
  const children = steps.flatMap((step) => (step.kind === 'parallel' ? step.children : [step.child]))
  return children.map(({ agent, task, count }) => `${agent}${count > 1 ? ` ×${count}` : ''}: ${task}`).join('\n')
}

function openScope({ governor, aboutRun }: RunnerContext, request: GroupRequest, plan: PreparedGroup): Promise<Scope> {
  const { within, team, user } = request
  const { saved, layers, sharedLimits } = plan
  return governor.open({
    kind: 'group',
    name: saved.name,
    id: saved.id,
    layers,
    taskId: saved.id,
    ...(aboutRun === undefined ? {} : { about: aboutRun(saved.task === '' ? tasksText(saved) : saved.task) }),
    wrapUp: false,
    sharedLimits,
    ...(within === undefined ? {} : { within }),
    ...(team === undefined ? {} : { team }),
    ...(user === undefined ? {} : { user }),
  })
}
