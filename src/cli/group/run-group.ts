import { join } from 'node:path'
import { tasksFolder } from '../../operate/tasks/task-folder.ts'
import type { GroupOptions, GroupRequest, GroupResult, Runner } from '../../runner/index.ts'
import type { CommandContext } from '../command-context.ts'
import { leftProcesses } from '../exec/left-processes.ts'
import { answerText } from '../output/answer-text.ts'
import type { Report } from '../output/report.ts'
import { keepCallSettings } from '../run/call-settings.ts'
import { openRunner } from '../run/open-runner.ts'
import { exitCodeOfRun } from '../run/run-summary.ts'
import { payersOf } from '../run/run-task.ts'
import { groupSummary } from './group-summary.ts'
import { createGroupView } from './group-view.ts'
import type { GroupCommand } from './read-group.ts'

const INTERRUPTED = 130

/** Runs a planned group here, to its end. */
export async function runGroup(
  context: CommandContext,
  plan: GroupCommand,
  start: (runner: Runner, request: GroupRequest, options: GroupOptions) => Promise<GroupResult>,
): Promise<Report> {
  const { id, flags, settings } = plan
  const { baseUrl = null } = flags
  const { workingFolder } = context.platform
  const opened = await openRunner(context, { baseUrl, workingFolder })
  try {
    const request = { ...settings, id, workingFolder, ...(await payersOf(context, plan, opened)) }
    return await followGroup(context, id, (options) => {
      const onProgress: GroupOptions['onProgress'] = (progress) => {
        // Nothing is kept of a task that never started.
        if (progress.kind === 'started') keepCallSettings(join(tasksFolder(context.config()), id), { baseUrl })
        options.onProgress?.(progress)
      }
      return start(opened.runner, request, { ...options, onProgress })
    })
  } finally {
    await opened.close()
  }
}

/**
 * Runs a group in the foreground: progress on stderr, answers on stdout. The first INT or TERM ends it gracefully, the
 * second ends this process immediately.
 */
export async function followGroup(
  context: CommandContext,
  id: string,
  start: (options: GroupOptions) => Promise<GroupResult>,
): Promise<Report> {
  const { platform, errorPaint: paint } = context
  platform.outliveOutput()
  const view = createGroupView({
    write: platform.writeError,
    paint,
    isTerminal: platform.terminals.error,
    screen: platform.screen,
    monotonicMs: () => performance.now(),
  })
  const members = new Set<string>([id])
  const controller = new AbortController()
  const callOff = platform.onStop(() => {
    if (!controller.signal.aborted) {
      view.say('Stopping, and printing what there is so far. Press ^C again to end immediately.')
      controller.abort(new Error('interrupted'))
      return
    }
    view.end()
    endProcesses([...members])
    platform.writeError(`stint: Ended immediately. Its output is in its folder: stint show ${id}\n`)
    platform.endNow(INTERRUPTED)
  })
  try {
    const result = await start({
      signal: controller.signal,
      onProgress(progress) {
        if (progress.kind === 'step') for (const member of progress.members) members.add(member.id)
        view.show(progress)
      },
    })
    view.end()
    const warnings = result.warnings.filter((warning) => !view.warned().includes(warning))
    platform.writeError(`${groupSummary({ ...result, warnings }, paint)}\n`)
    const exitCode = exitCodeOfRun(result)
    const said = result.output ?? result.partialOutput
    const text = said === null || said === '' ? null : answerText(said, platform.terminals.output)
    return { json: { ...result, exitCode }, text, exitCode }
  } finally {
    view.end()
    callOff()
  }
}

/** Processes started by its agents' tools must not outlive it. */
function endProcesses(ids: readonly string[]): void {
  for (const pid of leftProcesses(ids)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended by itself.
    }
  }
}
