import { isEnded, type Status } from '../../core/index.ts'
import { edgeOf } from '../../governor/edge.ts'
import type { Scope } from '../../governor/index.ts'
import type { ChildResult } from '../modes/group-result.ts'
import { recordedGroup } from '../modes/recorded-group.ts'
import { recordedRun } from '../modes/recorded-result.ts'
import { isSavedGroup } from '../modes/saved-group.ts'
import { errorText } from '../run/record/recorded-tools.ts'
import { isTaskId, taskFiles } from '../tasks/task-files.ts'
import { ToolFailure } from '../tools/tool-failure.ts'
import { childResults, refusedResult, unknownResult } from './child-results.ts'
import type { Delegator } from './delegator.ts'
import type { Order } from './order.ts'
import { reportChild, type Spawned } from './report-child.ts'
import { goOn, spawn } from './spawn.ts'

/** What one agent has others do. Texts are for its model. */
export interface Delegation {
  /** Runs what was ordered under this id, or resumes it, and reports the result. */
  run(id: string, order: Order, signal: AbortSignal): Promise<string>
  /** The same without waiting. */
  begin(id: string, order: Order): string
  resume(id: string, signal: AbortSignal): Promise<string>
  /** Pauses it; its parent goes on. */
  interrupt(id: string): Promise<string>
  /** The state of one child, or of all. */
  status(id: string | null): Promise<string>
  /** Takes over what an earlier process of this run has started. */
  remember(ids: readonly string[]): void
  /**
   * Waits for what was begun and not waited for, ending it unless the run is only paused, and returns what became of
   * everything.
   */
  finish(isPaused: boolean): Promise<readonly ChildResult[]>
}

/** One thing that was ordered: its task, and what became of it as far as that is known here. */
interface Entry {
  readonly task: string
  readonly work: Promise<Spawned> | null
  results: readonly ChildResult[] | null
}

export function createDelegation(delegator: Delegator): Delegation {
  const { context, saved, scope } = delegator
  const entries = new Map<string, Entry>()
  const leaving = new AbortController()

  function enter(id: string, task: string, start: () => Promise<Spawned>, refused: (error: unknown) => ChildResult) {
    const entry: Entry = { task, work: start(), results: null }
    entries.set(id, entry)
    return entry.work!.then(
      (spawned) => {
        entry.results = childResults(spawned, task)
        return spawned
      },
      (error: unknown): never => {
        entry.results = [refused(error)]
        throw new ToolFailure(errorText(error), error)
      },
    )
  }

  function order(id: string, given: Order, signal: AbortSignal): Promise<Spawned> {
    const task = given.kind === 'parallel' ? '' : given.task
    const refused = (error: unknown): ChildResult => refusedResult(id, given, error)
    return enter(id, task, () => spawn(delegator, id, given, signal), refused)
  }

  async function childOf(id: string): Promise<Scope> {
    const child = isTaskId(id) ? await context.governor.find(id) : null
    if (child !== null && child.id !== scope.id && edgeOf(child).isChargedTo(scope)) return child
    throw new ToolFailure(`You have started nothing with the id "${id}". { "action": "status" } lists what you have.`)
  }

  /** What is known of a child whose result is not here. */
  async function recorded(id: string): Promise<Spawned | null> {
    const isGroup = isSavedGroup(taskFiles(context.taskFolder, id).request, id)
    const known = isGroup ? await recordedGroup(context, id) : await recordedRun(context, id)
    return known.kind === 'ended' ? known.result : null
  }

  async function line(id: string): Promise<string> {
    const child = await context.governor.find(id)
    const failed = entries.get(id)?.results?.[0]?.error
    return child === null ? `${id}: not started. ${failed ?? ''}`.trim() : stateOf(id, child.name, child.status())
  }

  async function results(id: string, entry: Entry): Promise<readonly ChildResult[]> {
    if (entry.results !== null) return entry.results
    const spawned = await recorded(id)
    if (spawned !== null) return childResults(spawned, entry.task)
    const status = (await context.governor.find(id))?.status() ?? 'stopped'
    return status === 'paused' ? [unknownResult(id, 'paused', 'It is paused.')] : []
  }

  return {
    async run(id, given, signal) {
      return reportChild(scope, await order(id, given, signal))
    },
    begin(id, given) {
      order(id, given, leaving.signal).catch(() => {})
      return `Begun. Its id is ${id}. Do other work meanwhile; { "action": "status", "id": "${id}" } tells how it is.`
    },
    async resume(id, signal) {
      const child = await childOf(id)
      if (isEnded(child.status())) throw new ToolFailure(`${child.name} has ended (${child.status()}): order it again.`)
      const refused = (error: unknown): ChildResult => unknownResult(id, 'paused', errorText(error))
      const task = entries.get(id)?.task ?? ''
      return reportChild(scope, await enter(id, task, () => goOn(delegator, id, signal), refused))
    },
    async interrupt(id) {
      const child = await childOf(id)
      if (isEnded(child.status())) return `${child.name} has already ended (${child.status()}).`
      if (child.status() !== 'paused') await child.pause({ reason: `interrupted by ${saved.agent.name}` })
      return `${child.name} is paused. To resume it: { "action": "resume", "id": "${id}" }.`
    },
    async status(id) {
      if (id === null) {
        const lines = await Promise.all([...entries.keys()].map(line))
        return lines.length === 0 ? 'You have started nothing yet.' : lines.join('\n')
      }
      const child = await childOf(id)
      const status = child.status()
      // A run that has ended still writes its result.
      if (isEnded(status)) await entries.get(id)?.work?.catch(() => {})
      const spawned = await recorded(id)
      return spawned === null ? stateOf(id, child.name, status) : reportChild(scope, spawned)
    },
    remember(ids) {
      for (const id of ids) if (!entries.has(id)) entries.set(id, { task: '', work: null, results: null })
    },
    async finish(isPaused) {
      if (!isPaused) leaving.abort(new Error(`${saved.agent.name} has ended`))
      await Promise.allSettled([...entries.values()].map(({ work }) => work))
      const all = await Promise.all([...entries].map(([id, entry]) => results(id, entry)))
      return all.flat()
    },
  }
}

function stateOf(id: string, name: string, status: Status): string {
  return `${id}: ${name}, ${status}`
}
