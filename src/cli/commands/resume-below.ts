import type { Command } from 'commander'
import type { LedgerStore, ScopeReading } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import type { CommandContext } from '../command-context.ts'
import { MOST_SCOPES } from '../ledger/find-scope.ts'

/** What became of the runs that stood because a scope above them was paused. */
export interface ResumedBelow {
  /** Those that go on in the background. */
  readonly resumed: readonly string[]
  /** Those that have to be started again by hand. */
  readonly left: readonly string[]
  readonly notices: readonly string[]
}

/**
 * Goes on with the agents that the pause of `paused` stopped: their processes ended with it, so that each goes on in
 * the background. Commands under `exec` that are held go on by themselves.
 */
export async function resumeBelow(
  context: CommandContext,
  store: LedgerStore,
  paused: ScopeReading,
  command: Command,
): Promise<ResumedBelow> {
  const stopped = await stoppedBy(context, store, paused)
  if (stopped.length === 0) return { resumed: [], left: [], notices: [] }
  const { findTask } = await import('../run/find-task.ts')
  const { runInBackground } = await import('../run/run-in-background.ts')
  const { flagsAgain } = await import('../run/flags-again.ts')
  const again = flagsAgain(command, ['--background', '--foreground', '--json', '--add'])
  const resumed: string[] = []
  const left: string[] = []
  const notices: string[] = []
  for (const { id, path, name, owner, isOrphaned } of stopped) {
    const isAgent = findTask(context, id)?.canGoOn === true
    const isGone = isOrphaned || (owner !== null && context.platform.isHolderAlive(owner) === false)
    // Its own process still has it, and will go on with it. That of an agent has ended with the pause, or is about to.
    if (!isAgent && !isGone) continue
    const args = ['resume', ...again, '--foreground', '--', id]
    const hasBegun = (now: ScopeReading | null): boolean => now !== null && now.owner !== owner
    const report = isAgent ? await runInBackground(context, { id, agent: name, args, input: '', hasBegun }) : null
    if (report !== null && (report.exitCode ?? 0) === 0) {
      resumed.push(id)
      notices.push(`${printable(path)} goes on in the background: stint watch ${id}`)
    } else {
      left.push(id)
      notices.push(`${printable(path)} is still paused. To go on with it: stint resume ${id}`)
    }
  }
  return { resumed, left, notices }
}

/** Runs that stand for no reason of their own: no limit, no question, and not by a person's word. */
async function stoppedBy(
  { platform }: CommandContext,
  store: LedgerStore,
  paused: ScopeReading,
): Promise<readonly ScopeReading[]> {
  const open = await store.list({ standing: 'open', most: MOST_SCOPES, atMs: platform.nowMs() })
  const byId = new Map(open.map((scope) => [scope.id, scope]))
  const isBelow = (scope: ScopeReading): boolean => {
    for (let at = scope.parentId; at !== null; at = byId.get(at)?.parentId ?? null) if (at === paused.id) return true
    return false
  }
  const sinceMs = paused.pause?.atMs ?? Number.POSITIVE_INFINITY
  return open.filter((scope) => {
    const { status, pause } = scope
    if (status !== 'paused' || pause === null || !isBelow(scope)) return false
    return pause.breaches === null && pause.requestId === null && pause.by === null && pause.atMs >= sinceMs
  })
}
