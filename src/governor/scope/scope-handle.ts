import {
  assertKnownOptions,
  assertWholeNumber,
  InvalidOptionError,
  isEnded,
  optionNames,
  STATUSES,
  usageRecord,
} from '../../core/index.ts'
import { explainLimits } from '../../policy/index.ts'
import { callModel, callWrapUp } from '../calls/call-model.ts'
import { callTool } from '../calls/call-tool.ts'
import { reserve } from '../calls/reserve.ts'
import type { Scope } from '../governor.ts'
import { budgetHint, promptLine } from '../hints/index.ts'
import { askForIncrease } from '../steering/ask-for-increase.ts'
import { pauseScope, resumeScope } from '../steering/pause-and-resume.ts'
import { setLimits } from '../steering/set-limits.ts'
import { takeOver } from '../steering/take-over.ts'
import { endScope } from './end-scope.ts'
import { statusAtEnd } from './lifecycle.ts'
import { assertBudgetsAbove, openBelowBudgets } from './open/open-below-budgets.ts'
import { openScopes } from './open/open-scope.ts'
import { assertChildSpec, assertChildSpecs } from './open/open-spec.ts'
import { limitsOnPath, standingsOnPath } from './path/path-standings.ts'
import { ScopeClosedError } from './scope-closed-error.ts'
import { isLiving, type ScopeRuntime } from './scope-runtime.ts'

/** The options of methods that only record who called them. */
export const BY = optionNames<NonNullable<Parameters<Scope['resume']>[0]>>({ by: true })
const USAGE_OPTIONS = optionNames<NonNullable<Parameters<Scope['usage']>[0]>>({ path: true })
const INCREASE_ASK = optionNames<Parameters<Scope['requestIncrease']>[0]>({ meter: true, amount: true, reason: true })
const PAUSE_OPTIONS = optionNames<NonNullable<Parameters<Scope['pause']>[0]>>({
  conversation: true,
  loopEnds: true,
  reason: true,
  by: true,
})

// For internal use: what edges need of a scope and users do not.
const RUNTIMES = new WeakMap<Scope, ScopeRuntime>()

/** The public handle of a scope: always the same one, however often it is found. */
export function handleOf(runtime: ScopeRuntime): Scope {
  if (runtime.handle !== null) return runtime.handle
  const handle = createHandle(runtime)
  runtime.handle = handle
  RUNTIMES.set(handle, runtime)
  return handle
}

/** The scope behind a handle; `null` for anything a governor did not create. */
export function runtimeBehind(scope: Scope): ScopeRuntime | null {
  return RUNTIMES.get(scope) ?? null
}

function createHandle(runtime: ScopeRuntime): Scope {
  const { context } = runtime
  return {
    id: runtime.id,
    name: runtime.name,
    path: runtime.path,
    get signal() {
      return runtime.work.signal
    },
    reserve: (amounts, options = {}) => reserve(runtime, amounts, options),
    callTool: (tool, run) => callTool(runtime, tool, run),
    callModel: (call, run) => callModel(runtime, call, run),
    callWrapUp: (call, run) => callWrapUp(runtime, call, run),
    async open(spec) {
      assertChildSpec(spec)
      return handleOf(await openBelowBudgets(context, runtime, spec))
    },
    async openAll(specs) {
      assertChildSpecs(specs)
      await assertBudgetsAbove(context, runtime, specs)
      return (await openScopes(context, runtime, specs, 'agent')).map(handleOf)
    },
    promptLine: () => promptLine(limitsOnPath(runtime)),
    hint: async () => budgetHint(await standingsOnPath(runtime)),
    async usage(options = {}) {
      assertKnownOptions('scope.usage', options, USAGE_OPTIONS)
      const { path = false } = options
      const { store, clock } = context
      const atMs = clock.wallMs()
      const withinId = path ? runtime.rootToSelf[0]!.id : runtime.id
      const [readings, assumed] = await Promise.all([
        store.read({ scopeId: runtime.id, atMs }),
        store.reservations({ state: 'assumed', withinId }),
      ])
      if (readings === null) throw new ScopeClosedError(runtime.id)
      const clocks = runtime.life.isOwned ? runtime.clocks : null
      const { messages, provider } = runtime
      const { refused } = provider
      return usageRecord(readings, { clocks, messages: messages.length, wholePath: path, assumed, refused, atMs })
    },
    status: () => runtime.life.status,
    limits: () => limitsOnPath(runtime),
    explain: () => explainLimits({ ...runtime.resolved, limits: runtime.limits }),
    async setLimits(limits, options = {}) {
      assertKnownOptions('scope.setLimits', options, BY)
      await setLimits(runtime, limits, { by: options.by ?? null, call: 'scope.setLimits' })
    },
    async requestIncrease(wanted) {
      assertKnownOptions('scope.requestIncrease', wanted, INCREASE_ASK)
      const { meter, amount, reason } = wanted
      if (!isLiving(runtime)) throw new ScopeClosedError(runtime.id)
      const limit = runtime.limits.find((each) => each.meter === meter)
      if (limit === undefined) throw new InvalidOptionError('requestIncrease({ meter })', meter, 'a limited meter')
      assertWholeNumber('requestIncrease({ amount })', amount, 1, Number.MAX_SAFE_INTEGER)
      const standing = (await standingsOnPath(runtime)).findLast((each) => each.meter === meter)
      const ask = { asked: amount, settled: standing?.settled ?? 0, reason }
      const increase = await askForIncrease(runtime, limit, ask)
      if (increase === null) throw new ScopeClosedError(runtime.id)
      return increase.request
    },
    async pause(options = {}) {
      assertKnownOptions('scope.pause', options, PAUSE_OPTIONS)
      const { conversation = null, loopEnds = false, reason = 'paused by hand', by = null } = options
      await pauseScope(runtime, { conversation, loopEnds, reason, by })
    },
    async resume(options = {}) {
      assertKnownOptions('scope.resume', options, BY)
      const { by = null } = options
      return runtime.life.isOwned ? resumeScope(runtime, by) : takeOver(runtime, by)
    },
    stop: (reason = 'stopped') => endScope(runtime, 'stopped', reason),
    async close(status = statusAtEnd(runtime.life), reason = 'closed') {
      const isEnd = STATUSES.includes(status) && isEnded(status)
      if (!isEnd)
        throw new InvalidOptionError('close(status)', status, 'how a scope ends, e.g. "completed" or "failed"')
      await endScope(runtime, status, reason)
    },
  }
}
