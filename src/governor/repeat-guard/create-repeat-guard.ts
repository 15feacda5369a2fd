import { assertKnownOptions, type Breach, InvalidOptionError, isEnforced, optionNames } from '../../core/index.ts'
import type { CallOutcome, Refusal, ToolGrant, ToolSpec } from '../call.ts'
import { actOnRepeat } from '../calls/act-on-repeat.ts'
import { blockOnPath } from '../calls/block-on-path.ts'
import { callTool } from '../calls/call-tool.ts'
import type { Scope } from '../governor.ts'
import { remainingOnPath } from '../scope/path/remaining-on-path.ts'
import { runtimeBehind } from '../scope/scope-handle.ts'
import { judgeCall, NO_REPEATS, recordCall, repeatBreachOf } from './index.ts'

const GUARDED_TOOL = optionNames<Parameters<RepeatGuard['callTool']>[0]>({
  name: true,
  arguments: true,
  polls: true,
  changes: true,
  endsWork: true,
  timeoutMs: true,
  signal: true,
})

/**
 * The outcome of a tool call made through the guard. A suppressed call did not run and was not counted; the agent
 * continues, with `reason` as the result. If it is repeated after that, it is refused: not run and not counted, and the
 * scope does what its `onLimit` says. Its breach has the meter `repeat`.
 */
export type GuardedOutcome<Value> =
  | CallOutcome<Value>
  | { readonly kind: 'suppressed'; readonly reason: string }
  | (Omit<Refusal, 'breach' | 'breaches'> & {
      readonly reason: string
      readonly breach: Omit<Breach, 'meter'> & { readonly meter: 'repeat' }
      readonly breaches: readonly [Omit<Breach, 'meter'> & { readonly meter: 'repeat' }]
    })

/** Calls the tools of one agent loop, and stops repeated identical calls. */
export interface RepeatGuard {
  /**
   * `scope.callTool`, unless the same call had the same result three times within the last six. `arguments` is what the
   * tool is called with: an object, or its JSON text. The guard ignores a tool that `polls`, which is called repeatedly
   * on purpose.
   */
  callTool<Value>(
    tool: ToolSpec & { readonly arguments: unknown; readonly polls?: boolean },
    run: (grant: ToolGrant) => Promise<Value> | Value,
  ): Promise<GuardedOutcome<Value>>
}

/**
 * The repeat guard of a scope, for adapters with `repeatGuard: true`: one for each agent loop, which makes all its tool
 * calls through it. A plain `scope.callTool` has none. Under `warn` a repeated call is reported and runs; `ask` pauses,
 * since there is nothing to grant: a person resumes or stops it.
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
      // What blocks everything takes precedence.
      if (blockOnPath(runtime) !== null) return callTool(runtime, tool, run)
      const judged = judgeCall(state, call)
      state = judged.state
      // If no call is left, that limit ends it, with its own action.
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
