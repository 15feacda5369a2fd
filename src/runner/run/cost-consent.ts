import { join } from 'node:path'
import { isPlainObject, type LimitSource } from '../../core/index.ts'
import type { Scope } from '../../governor/index.ts'
import { writeWhole } from '../../system/write-whole.ts'
import { readSmallFile } from '../tasks/read-small-file.ts'
import { isTaskId, taskFiles } from '../tasks/task-files.ts'

const FILE = 'planned.json'

type Planned = Readonly<Record<string, number>>

/** What the agents of a run may cost before a person is asked, and how much of it is planned so far. */
export interface CostConsent {
  readonly scope: Scope
  readonly above: { readonly max: number; readonly source: LimitSource }
  /** What was planned with all other tasks that were started below it. */
  plannedBeside(id: string): number
  /** What a task adds to that. */
  plan(id: string, cost: number): void
  /** A task that was not started after all. */
  drop(id: string): void
}

/** Kept in the run's folder, so that a resumed run counts what it had started before. */
export function createCostConsent(taskFolder: string, given: Pick<CostConsent, 'scope' | 'above'>): CostConsent {
  const { id: run } = given.scope
  const file = isTaskId(run) ? join(taskFiles(taskFolder, run).folder, FILE) : null
  let planned: Planned = file === null ? {} : plannedIn(file)
  const keep = (now: Planned): void => {
    planned = now
    try {
      if (file !== null) writeWhole(file, `${JSON.stringify(planned)}\n`)
    } catch {
      // It is known while this process lives.
    }
  }
  const beside = (id: string): Planned => Object.fromEntries(Object.entries(planned).filter(([other]) => other !== id))
  return {
    ...given,
    plannedBeside: (id) => Object.values(beside(id)).reduce((sum, cost) => sum + cost, 0),
    plan: (id, cost) => keep({ ...planned, [id]: cost }),
    drop: (id) => keep(beside(id)),
  }
}

function plannedIn(file: string): Planned {
  try {
    const value: unknown = JSON.parse(readSmallFile(file) ?? '{}')
    if (!isPlainObject(value)) return {}
    const entries = Object.entries(value).flatMap(([id, cost]) =>
      typeof cost === 'number' && cost >= 0 ? [[id, cost] as const] : [],
    )
    return Object.fromEntries(entries)
  } catch {
    return {}
  }
}
