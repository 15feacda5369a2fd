import { type Clock, isLimitExceeded, NANO_USD_PER_USD, type Status } from '../core/index.ts'
import { createGovernor, type Scope, ScopeClosedError } from '../governor/index.ts'
import { estimateCost } from '../pricing/index.ts'

/** What a simulated agent is spawned with. */
export interface SpawnAgentOptions {
  readonly execution_limits?: Readonly<Record<string, unknown>>
  /** Default: the system's. */
  readonly clock?: Clock
  /** Whose input price a token of `llmCall` has. Default: a Claude Sonnet. */
  readonly model?: string
}

/** A task's status in the words of the published form. */
export type TaskStatus = 'pending' | 'in_progress' | 'paused' | 'completed' | 'failed'

/**
 * The small simulated agent of published test strategies for execution limits: turns that do nothing and model calls
 * that cost money, under real limits. Its calls never throw on a limit: the status tells.
 */
export interface SimulatedAgent {
  /** One tool call. */
  executeTurn(): Promise<void>
  /** A model call that nothing bounds: it costs what it costs, also past the limit, and is refused when nothing is left. */
  llmCall(call: { readonly tokens: number }): Promise<void>
  readonly status: TaskStatus
  /** `Execution limit exceeded: NAME`, with the name as it was written; `null` while none is. */
  readonly error: string | null
  /** The names of the limits with `timeout_action: warn` that were passed, as they were written. */
  readonly warnings: readonly string[]
  /** In USD. */
  readonly accumulated_cost: number
}

const DEFAULT_MODEL = 'claude-sonnet-4-5'
// A test that loops until a cost is reached must end, also if the agent has failed before.
const MOST_CALLS_AFTER_END = 1_000

/** Spawns the agent at once: its time runs from here. Throws if a limit cannot be read. */
export function spawnAgent(options: SpawnAgentOptions = {}): SimulatedAgent {
  const { execution_limits = {}, clock, model = DEFAULT_MODEL } = options
  const governor = createGovernor(clock === undefined ? {} : { clock })
  const opening = governor.open({ name: 'agent', executionLimits: execution_limits, within: null })
  let scope: Scope | null = null
  let error: string | null = null
  let costNanoUsd = 0
  let callsAfterEnd = 0
  const warnings = new Set<string>()
  // Whoever never makes a call still learns why it could not be opened from the first one that awaits it.
  opening.then(
    (opened) => {
      scope = opened
    },
    () => {},
  )

  function fail(name: string): void {
    error ??= `Execution limit exceeded: ${name}`
  }

  /** Runs a step unless the agent has failed, then looks at what it has passed. */
  async function step(run: (opened: Scope) => Promise<void>): Promise<void> {
    const opened = await opening
    if (currentError() !== null) {
      if (++callsAfterEnd > MOST_CALLS_AFTER_END) throw new ScopeClosedError(opened.id)
      return
    }
    await run(opened)
    const usage = await opened.usage()
    costNanoUsd = usage.cost.settled
    for (const { meter, action, source } of opened.explain()) {
      if (usage[meter].overrun === 0) continue
      if (action === 'warn') warnings.add(source.written)
      else if (action === 'terminate') fail(source.written)
    }
  }

  /** A clock may have ended it while nobody called. */
  function currentError(): string | null {
    const reason: unknown = scope?.signal.aborted === true ? scope.signal.reason : null
    if (isLimitExceeded(reason)) fail(reason.breach.source.written)
    return error
  }

  return {
    executeTurn: () =>
      step(async (opened) => {
        const { breach } = await opened.callTool({ name: 'turn' }, () => undefined)
        if (breach !== null && breach.action === 'terminate') fail(breach.source.written)
      }),
    llmCall: ({ tokens }) =>
      step(async (opened) => {
        const cost = estimateCost({ model, usage: { inputTokens: tokens } })
        const outcome = await opened.reserve({ modelCalls: 1, cost: 1 }, { waitMs: 0 })
        if (outcome.granted) await outcome.settle({ modelCalls: 1, tokens, uncachedTokens: tokens, cost })
        else if (outcome.breach.action === 'terminate') fail(outcome.breach.source.written)
      }),
    get status() {
      return currentError() === null ? TASK_STATUS[scope?.status() ?? 'queued'] : 'failed'
    },
    get error() {
      return currentError()
    },
    get warnings() {
      return [...warnings]
    },
    get accumulated_cost() {
      return costNanoUsd / NANO_USD_PER_USD
    },
  }
}

const TASK_STATUS: Readonly<Record<Status, TaskStatus>> = {
  queued: 'pending',
  running: 'in_progress',
  detached: 'in_progress',
  paused: 'paused',
  completed: 'completed',
  'limit-reached': 'failed',
  'timed-out': 'failed',
  failed: 'failed',
  stopped: 'failed',
}
