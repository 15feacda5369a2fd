import {
  assertKnownOptions,
  type Clock,
  isLimitExceeded,
  type Meter,
  NANO_USD_PER_USD,
  optionNames,
  type Status,
} from '../core/index.ts'
import { type CallOutcome, createGovernor, type Scope, ScopeClosedError, ScopePausedError } from '../governor/index.ts'
import { estimateCost } from '../pricing/index.ts'

/** The options of a simulated agent. */
export interface SpawnAgentOptions {
  readonly execution_limits?: Readonly<Record<string, unknown>>
  /** Default: the system clock. */
  readonly clock?: Clock
  /** The model whose input price `llmCall` uses. Default: a Claude Sonnet. */
  readonly model?: string
}

/** A task's status, with the published names. */
export type TaskStatus = 'pending' | 'in_progress' | 'paused' | 'completed' | 'failed'

/**
 * The small simulated agent of published test strategies for execution limits: turns that do nothing and model calls
 * that cost money, under real limits. Its calls never throw at a limit and never wait for a person: see its status.
 */
export interface SimulatedAgent {
  /** One tool call. */
  executeTurn(): Promise<void>
  /** A model call without a bound: it may exceed the limit, and is refused when nothing is left. */
  llmCall(call: { readonly tokens: number }): Promise<void>
  /** Approves the request of `timeout_action: request_increase`: in full, or with this many turns, ms or nano-USD. */
  approve(amount?: number): Promise<void>
  /** Denies the request: the agent fails. */
  deny(): Promise<void>
  /** `paused`: by `timeout_action: pause`, or while `request_increase` waits for an answer. */
  readonly status: TaskStatus
  /** `Execution limit exceeded: NAME`, with the name as written; `null` if none is exceeded. */
  readonly error: string | null
  /** The names, as written, of exceeded limits with `timeout_action: warn`. */
  readonly warnings: readonly string[]
  /** In USD. */
  readonly accumulated_cost: number
}

const OPTIONS = optionNames<SpawnAgentOptions>({ execution_limits: true, clock: true, model: true })
const DEFAULT_MODEL = 'claude-sonnet-4-5'
// A test that loops until a cost is reached must end, even if the agent has failed or was paused before.
const MOST_CALLS_AFTER_END = 1_000

/** Spawns the agent; its time starts now. If a limit is invalid, the first call throws. */
export function spawnAgent(options: SpawnAgentOptions = {}): SimulatedAgent {
  assertKnownOptions('spawnAgent', options, OPTIONS)
  const { execution_limits = {}, clock, model = DEFAULT_MODEL } = options
  const governor = createGovernor(clock === undefined ? {} : { clock })
  const opening = governor.open({ name: 'agent', executionLimits: execution_limits, within: null })
  let scope: Scope | null = null
  let error: string | null = null
  let costNanoUsd = 0
  let callsAfterEnd = 0
  let lastStep: Promise<void> = Promise.resolve()
  const whenAsked = new Set<() => void>()
  const warnings = new Set<string>()
  // Avoids an unhandled rejection: the first call reports why it could not be opened.
  opening.then(
    (opened) => {
      scope = opened
    },
    () => {},
  )
  // For clocks; calls check by themselves.
  governor.on('agent_warning', ({ limit_kind }) => warnOf(limit_kind))
  governor.on('increase_requested', () => {
    for (const tell of whenAsked) tell()
  })

  function fail(name: string): void {
    error ??= `Execution limit exceeded: ${name}`
  }

  function warnOf(meter: Meter): void {
    const limit = scope?.explain().find((each) => each.meter === meter)
    if (limit !== undefined) warnings.add(limit.source.written)
  }

  /** A limit whose request was denied ends the agent. */
  function heed(outcome: CallOutcome<unknown>): void {
    if (outcome.kind === 'done') return
    const breach = outcome.kind === 'refused' ? outcome.breach : outcome.by
    if (breach !== null && breach.action !== 'pause') fail(breach.source.written)
  }

  /** A clock may have ended it between calls. */
  function currentError(): string | null {
    const reason: unknown = scope?.signal.aborted === true ? scope.signal.reason : null
    if (isLimitExceeded(reason)) fail(reason.breach.source.written)
    return error
  }

  /** Runs a step unless the agent has failed or is paused. Doesn't wait for an answer. */
  async function step(run: (opened: Scope) => Promise<void>): Promise<void> {
    const opened = await opening
    if (currentError() !== null || opened.status() === 'paused') {
      if (++callsAfterEnd <= MOST_CALLS_AFTER_END) return
      throw currentError() === null ? new ScopePausedError(opened.id) : new ScopeClosedError(opened.id)
    }
    lastStep = run(opened)
    let tell: () => void = () => {}
    const asked = new Promise<void>((resolve) => {
      tell = resolve
    })
    whenAsked.add(tell)
    await Promise.race([lastStep, asked]).finally(() => whenAsked.delete(tell))
  }

  /** Checks the previous call. `true`: its cost has passed a limit that does more than warn. */
  async function look(opened: Scope): Promise<boolean> {
    const usage = await opened.usage()
    costNanoUsd = usage.cost.settled
    const passed = opened.explain().filter(({ meter }) => usage[meter].overrun > 0)
    for (const { meter, action } of passed) if (action === 'warn') warnOf(meter)
    return passed.some(({ meter, action }) => meter === 'cost' && action !== 'warn')
  }

  async function spend(opened: Scope, inputTokens: number): Promise<boolean> {
    const usage = { inputTokens, outputTokens: 0 }
    // Throws if the model has no price: nothing would ever be spent.
    estimateCost({ model, usage })
    heed(
      await opened.callModel({ model, inputTokens: 0, maxOutputTokens: 1, waitMs: 0 }, async () => ({
        value: null,
        usage,
      })),
    )
    return look(opened)
  }

  async function answer(request: Promise<unknown>): Promise<void> {
    await request
    await lastStep
    // Effects of an answer between calls run on promises alone.
    await new Promise((resolve) => setImmediate(resolve))
  }

  const requestId = async (): Promise<string> => (await governor.requests())[0]?.id ?? 'none'

  return {
    executeTurn: () =>
      step(async (opened) => {
        heed(await opened.callTool({ name: 'turn' }, () => undefined))
        await look(opened)
      }),
    llmCall: ({ tokens }) =>
      step(async (opened) => {
        // Past its limit it makes one more request, and the limit acts.
        if (await spend(opened, tokens)) await spend(opened, 0)
      }),
    approve: (amount) => answer(requestId().then((id) => governor.approve(id, amount === undefined ? {} : { amount }))),
    deny: () => answer(requestId().then((id) => governor.deny(id))),
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
