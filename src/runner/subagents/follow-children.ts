import type { GroupProgress } from '../groups/group-progress.ts'
import { meterRows } from '../run/meter-rows.ts'
import type { RunProgress } from '../run/run-progress.ts'
import type { Delegator } from './delegator.ts'
import { isGroup, type Spawned } from './report-child.ts'

/** Reports the progress of the agents of one order as progress of the run that ordered them. */
export interface ChildFollower {
  /** For a single agent. */
  onRun(progress: RunProgress): void
  /** For the agents of a group. */
  onGroup(progress: GroupProgress): void
  onEnd(spawned: Spawned): void
}

export function followChildren({ log, scope }: Delegator, id: string, agent: string): ChildFollower {
  const names = new Map<string, string>()

  const nameOf = (child: string): string => names.get(child) ?? agent

  function follow(child: string, progress: RunProgress): void {
    if (progress.kind === 'started') names.set(child, scopeName(progress.path))
    log.report({ kind: 'child', id: child, name: nameOf(child), progress })
    if (progress.kind === 'meters') log.report({ kind: 'meters', rows: meterRows(scope) })
  }

  return {
    onRun: (progress) => follow(id, progress),
    onGroup(progress) {
      if (progress.kind === 'step') for (const each of progress.members) names.set(each.id, each.agent)
      else if (progress.kind === 'member') follow(progress.id, progress.progress)
      else if (progress.kind === 'ended') {
        const { id: child, status, error } = progress
        log.report({ kind: 'child-ended', id: child, name: nameOf(child), status, error })
      }
    },
    onEnd(spawned) {
      if (isGroup(spawned)) return
      const { status, error } = spawned
      log.report({ kind: 'child-ended', id, name: nameOf(id), status, error })
    },
  }
}

/** The scope's name distinguishes it from others of the same agent. */
function scopeName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
