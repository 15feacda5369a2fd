import type { Command } from 'commander'
import { printable } from '../../core/checks/printable.ts'
import type { ScopeReading } from '../../core/index.ts'
import type { Operator } from '../../operate/operator.ts'
import { pausedBy } from '../../operate/scopes/resume-scope.ts'
import { isOwnerAlive } from '../../operate/scopes/scope-details.ts'
import type { CommandContext } from '../command-context.ts'

/** What happened to the runs that were paused because a scope above them was. */
export interface ResumedBelow {
  /** Those that continue in the background. */
  readonly resumed: readonly string[]
  /** Those that have to be started again by hand. */
  readonly left: readonly string[]
  readonly notices: readonly string[]
}

/**
 * Resumes the agents that the pause of `paused` stopped: their processes have ended, so each continues in the
 * background. Commands held under `exec` continue by themselves.
 */
export async function resumeBelow(
  context: CommandContext,
  operator: Operator,
  paused: ScopeReading,
  command: Command,
): Promise<ResumedBelow> {
  const stopped = await pausedBy(operator, paused)
  if (stopped.length === 0) return { resumed: [], left: [], notices: [] }
  const { findTask } = await import('../../operate/tasks/find-task.ts')
  const { tasksFolder } = await import('../../operate/tasks/task-folder.ts')
  const { runInBackground } = await import('../run/run-in-background.ts')
  const { flagsAgain } = await import('../flags/flags-again.ts')
  const again = flagsAgain(command, ['--background', '--foreground', '--json', '--add'])
  const resumed: string[] = []
  const left: string[] = []
  const notices: string[] = []
  for (const scope of stopped) {
    const { id, path, name, owner } = scope
    const isAgent = findTask(tasksFolder(context.config()), id)?.canGoOn === true
    // Its own process still runs it and will continue. An agent's process has ended with the pause, or is about to.
    if (!isAgent && isOwnerAlive(operator, scope) !== false) continue
    const args = ['resume', ...again, '--foreground', '--', id]
    const hasBegun = (now: ScopeReading | null): boolean => now !== null && now.owner !== owner
    const report = isAgent ? await runInBackground(context, { id, agent: name, args, input: '', hasBegun }) : null
    const goesOn = report !== null && (report.exitCode ?? 0) === 0
    if (goesOn) resumed.push(id)
    else left.push(id)
    notices.push(
      goesOn
        ? `${printable(path)} continues in the background: stint watch ${id}`
        : `${printable(path)} is still paused. To resume it: stint resume ${id}`,
    )
  }
  return { resumed, left, notices }
}
