import { isEnded, isStintError, type Status } from '../../core/index.ts'
import { edgeOf } from '../../governor/edge.ts'
import { type Scope, ScopePausedError } from '../../governor/index.ts'
import type { ChildResult } from '../groups/group-result.ts'
import { recordedGroup } from '../groups/recorded-group.ts'
import { recordedRun } from '../groups/recorded-result.ts'
import { isSavedGroup } from '../groups/saved-group.ts'
import { errorText } from '../run/record/recorded-tools.ts'
import { taskFiles } from '../tasks/task-files.ts'
import { createArtifacts } from '../tools/output/artifacts.ts'
import { ToolFailure } from '../tools/tool-failure.ts'
import { childResults, refusedResult, unknownResult } from './child-results.ts'
import type { Delegator } from './delegator.ts'
import type { Order } from './order.ts'
import { type ModelInput, readOrder } from './read-order.ts'
import { reportChild, type Spawned } from './report-child.ts'
import { resumeSpawned, spawn } from './spawn.ts'
import type { StartedBefore } from './started-before.ts'

/** The agents that one agent starts. Returned texts are for its model. */
export interface Delegation {
  /** Runs an order under this id, or resumes it, and reports the result. */
  run(id: string, order: Order, signal: AbortSignal): Promise<string>
  /** The same without waiting. */
  begin(id: string, order: Order): string
  /** Continues a paused child, or waits for a running one. */
  resume(id: string, signal: AbortSignal): Promise<string>
  /** Pauses it; its parent continues. */
  interrupt(id: string): Promise<string>
  /** The state of one child, or of all. */
  status(id: string | null): Promise<string>
  /** Takes over what earlier calls have started. Background agents continue, unless the work is done. */
  remember(started: readonly StartedBefore[], isDone: boolean): Promise<void>
  /** Ends background agents. */
  endBackground(): Promise<void>
  /** Waits for background agents, ending them unless the run is only paused, and returns the results of everything. */
  finish(isPaused: boolean): Promise<readonly ChildResult[]>
}

/** One order: its task, and its result if it is known here. */
interface Entry {
  readonly task: string
  /** While it runs here. */
  work: Promise<Spawned> | null
  results: readonly ChildResult[] | null
}

export function createDelegation(delegator: Delegator): Delegation {
  const { context, saved, scope } = delegator
  const entries = new Map<string, Entry>()
  const artifacts = createArtifacts(taskFiles(context.taskFolder, saved.id).artifacts)
  const report = (spawned: Spawned): Promise<string> => reportChild(scope, spawned, artifacts)
  let leaving = new AbortController()
  const interrupted = `interrupted by ${saved.agent.name}`

  /** Whether its own run is paused, or one above it: then what it has started is resumed with it. */
  const isPaused = (): boolean => edgeOf(scope).pauseOnPath() !== null

  async function enter(
    id: string,
    task: string,
    start: () => Promise<Spawned>,
    refused: (error: unknown) => ChildResult,
  ): Promise<Spawned> {
    if ((entries.get(id)?.work ?? null) !== null) throw new ToolFailure(`${id} is already running.`)
    const work = start()
    const entry: Entry = { task, work, results: null }
    entries.set(id, entry)
    try {
      const spawned = await work
      entry.results = childResults(spawned, task)
      if (spawned.status === 'paused' && isPaused()) throw new ScopePausedError(scope.id)
      return spawned
    } catch (error) {
      entry.results ??= [refused(error)]
      // The call stays open with the run, and is made again when that continues.
      if (isStintError(error, 'scope_paused') && isPaused()) throw error
      throw new ToolFailure(errorText(error), error)
    } finally {
      entry.work = null
    }
  }

  function order(id: string, given: Order, signal: AbortSignal): Promise<Spawned> {
    const task = given.kind === 'parallel' ? '' : given.task
    const refused = (error: unknown): ChildResult => refusedResult(id, given, error)
    return enter(id, task, () => spawn(delegator, id, given, signal), refused)
  }

  function beginOrder(id: string, given: Order): void {
    // Its entry has the result.
    order(id, given, leaving.signal).catch(() => {})
  }

  /** An agent may steer only what it has started itself. */
  async function ownChild(id: string): Promise<Scope> {
    const child = entries.has(id) ? await context.governor.find(id) : null
    if (child !== null) return child
    const { work = null, results: known = null } = entries.get(id) ?? {}
    if (work !== null) throw new ToolFailure(`${id} is queued: it starts when others are done.`)
    if (known?.[0]?.error) throw new ToolFailure(`${id} was not started. ${known[0].error}`)
    throw new ToolFailure(`You have started nothing with the id "${id}". { "action": "status" } lists what you have.`)
  }

  /** The recorded result of a child whose result is not in memory. */
  async function recorded(id: string): Promise<Spawned | null> {
    const isGroup = isSavedGroup(taskFiles(context.taskFolder, id).request, id)
    const known = isGroup ? await recordedGroup(context, id) : await recordedRun(context, id)
    return known.kind === 'ended' ? known.result : null
  }

  async function line(id: string): Promise<string> {
    const child = await context.governor.find(id)
    if (child !== null) return stateOf(id, child.name, child.status())
    const { work = null, results: known = null } = entries.get(id) ?? {}
    return work === null ? `${id}: not started. ${known?.[0]?.error ?? ''}`.trim() : `${id}: queued`
  }

  async function results(id: string, entry: Entry): Promise<readonly ChildResult[]> {
    if (entry.results !== null) return entry.results
    const spawned = await recorded(id)
    if (spawned !== null) return childResults(spawned, entry.task)
    const child = await context.governor.find(id)
    if (child === null) return []
    const isPaused = child.status() === 'paused'
    const reason = isPaused ? 'It is paused.' : `It has ended with ${saved.agent.name}.`
    return [unknownResult(id, isPaused ? 'paused' : 'stopped', reason)]
  }

  /** Whether it was paused for its own reason, not because its parent was. */
  async function standsByItself(id: string): Promise<boolean> {
    const child = await context.governor.find(id)
    if (child?.status() !== 'paused') return false
    const { pausedBy, reason } = edgeOf(child).end()
    return pausedBy !== null || reason === interrupted
  }

  async function settled(): Promise<void> {
    await Promise.allSettled([...entries.values()].map(({ work }) => work))
  }

  async function endBackground(): Promise<void> {
    leaving.abort(new Error(`${saved.agent.name} has ended`))
    // Work that is sent back may start agents again.
    leaving = new AbortController()
    await settled()
  }

  return {
    async run(id, given, signal) {
      return report(await order(id, given, signal))
    },
    begin(id, given) {
      beginOrder(id, given)
      return `Started. Its id is ${id}. Do other work meanwhile. { "action": "resume", "id": "${id}" } waits for its result; it ends when you do.`
    },
    async resume(id, signal) {
      const underway = entries.get(id)?.work ?? null
      // A queued child has no scope yet, but can be waited for.
      const isPaused = underway !== null && (await context.governor.find(id))?.status() === 'paused'
      if (underway !== null) {
        const spawned = await orAborted(underway, signal)
        // Its loop may still have been ending.
        if (!isPaused) return report(spawned)
      }
      const child = await ownChild(id)
      if (isEnded(child.status())) {
        const spawned = await recorded(id)
        if (spawned !== null) return report(spawned)
        throw new ToolFailure(`${child.name} has ended (${child.status()}): start it again.`)
      }
      const refused = (error: unknown): ChildResult => unknownResult(id, 'paused', errorText(error))
      const task = entries.get(id)?.task ?? ''
      return report(await enter(id, task, () => resumeSpawned(delegator, id, signal), refused))
    },
    async interrupt(id) {
      const child = await ownChild(id)
      if (isEnded(child.status())) return `${child.name} has already ended (${child.status()}).`
      if (child.status() !== 'paused') await child.pause({ reason: interrupted })
      return `${child.name} is paused. To resume it: { "action": "resume", "id": "${id}" }.`
    },
    async status(id) {
      if (id === null) {
        const lines = await Promise.all([...entries.keys()].map(line))
        return lines.length === 0 ? 'You have started nothing yet.' : lines.join('\n')
      }
      const child = await ownChild(id)
      const status = child.status()
      // A run that has ended may still be writing its result.
      if (isEnded(status)) await entries.get(id)?.work?.catch(() => {})
      const spawned = await recorded(id)
      return spawned === null ? stateOf(id, child.name, status) : report(spawned)
    },
    async remember(started, isDone) {
      for (const { id, input, isBackground } of started) {
        if (entries.has(id)) continue
        const task = typeof input.task === 'string' ? input.task : ''
        entries.set(id, { task, work: null, results: null })
        const order = isBackground && !isDone ? orderIn(input) : null
        if (order !== null && !(await standsByItself(id))) beginOrder(id, order)
      }
    },
    endBackground,
    async finish(isPaused) {
      await (isPaused ? settled() : endBackground())
      const all = await Promise.all([...entries].map(([id, entry]) => results(id, entry)))
      return all.flat()
    },
  }
}

/** The order in a call; `null` if it was refused. */
function orderIn(input: ModelInput): Order | null {
  try {
    return readOrder(input)
  } catch {
    return null
  }
}

function stateOf(id: string, name: string, status: Status): string {
  return `${id}: ${name}, ${status}`
}

/** Waits for something that continues even if the waiting call is stopped. */
function orAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  if (signal.aborted) return Promise.reject(signal.reason)
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
