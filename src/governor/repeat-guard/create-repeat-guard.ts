import { assertKnownOptions, InvalidOptionError, isEnforced, optionNames } from '../../core/index.ts'
import type { CallOutcome, ToolGrant, ToolSpec } from '../call.ts'
import { actOnRepeat } from '../calls/act-on-repeat.ts'
import { blockOnPath } from '../calls/block-on-path.ts'
import { callTool } from '../calls/call-tool.ts'
import type { Scope } from '../governor.ts'
import { remainingOnPath } from '../scope/remaining-on-path.ts'
import { runtimeBehind } from '../scope/scope-handle.ts'
import { judgeCall, NO_REPEATS, type RepeatBreach, recordCall, repeatBreachOf } from './index.ts'

/** A tool call as the guard compares it with those before. */
export interface GuardedTool extends ToolSpec {
  /** What the tool is called with: an object, or its JSON text. */
  readonly arguments: unknown
  /** It is called again and again on purpose, and the guard leaves it alone. */
  readonly polls?: boolean
}

const GUARDED_TOOL = optionNames<GuardedTool>({
  name: true,
  arguments: true,
  polls: true,
  changes: true,
  endsWork: true,
  timeoutMs: true,
  signal: true,
})

/** The guard did not let it run, and it was not counted. The agent goes on: `reason` is the result that it is given. */
export interface SuppressedCall {
  readonly kind: 'suppressed'
  readonly reason: string
}

/** It came again after it was suppressed: not run and not counted, and the scope did what its `onLimit` says. */
export interface RepeatRefusal {
  readonly kind: 'refused'
  readonly reason: string
  readonly breach: RepeatBreach
  readonly breaches: readonly [RepeatBreach]
  readonly mayFitLater: false
}

/** What became of a tool call that went through the guard. */
export type GuardedOutcome<Value> = CallOutcome<Value> | SuppressedCall | RepeatRefusal

/** Calls the tools of one agent loop, except those that go round in circles. */
export interface RepeatGuard {
  /** `scope.callTool`, unless the same call came to the same result three times within the last six. */
  callTool<Value>(tool: GuardedTool, run: (grant: ToolGrant) => Promise<Value> | Value): Promise<GuardedOutcome<Value>>
}

/**
 * The repeat guard of a scope, for adapters that are told `repeatGuard: true`: one for each agent loop, which calls all
 * its tools through it. A bare `scope.callTool` has none. Under `warn` a call that repeats itself is told and runs;
 * `ask` pauses, since there is nothing to give more of: a person resumes it, or stops it.
 */
export function createRepeatGuard(scope: Scope): RepeatGuard {
  const runtime = runtimeBehind(scope)
  if (runtime === null) throw new InvalidOptionError('createRepeatGuard(scope)', scope, 'a scope of a governor')
  let state = NO_REPEATS
  let breaches = 0
  return {
    async callTool(guarded, run) {
      assertKnownOptions('guard.callTool', guarded, GUARDED_TOOL)
      const { arguments: _, polls: __, ...tool } = guarded
      const call = { ...guarded, tool: guarded.name }
      const recorded = async (grant: ToolGrant) => {
        try {
          const result = await run(grant)
          state = recordCall(state, call, { result })
          return result
        } catch (error) {
          state = recordCall(state, call, { error })
          throw error
        }
      }
      // What lets nothing in at all speaks first.
      if (blockOnPath(runtime) !== null) return callTool(runtime, tool, run)
      const judged = judgeCall(state, call)
      state = judged.state
      // Where no call is left, that is what ends it, with the action of that limit.
      const isLimits = judged.decision !== 'run' && (await remainingOnPath(runtime)).get('toolCalls') === 0
      if (judged.decision === 'run' || isLimits) return callTool(runtime, tool, recorded)
      const { reason } = judged
      if (judged.decision === 'suppress') return { kind: 'suppressed', reason }
      const breach = repeatBreachOf(tool.name, runtime, runtime.resolved.onLimit)
      await actOnRepeat(runtime, breach, ++breaches === 1)
      if (!isEnforced(breach.action)) return callTool(runtime, tool, recorded)
      return { kind: 'refused', reason, breach, breaches: [breach], mayFitLater: false }
    },
  }
}
