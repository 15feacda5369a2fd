import { assertKnownOptions, optionNames } from '../../../core/index.ts'
import { isClockLimit, type ScopeRuntime } from '../../scope/scope-runtime.ts'

export interface WrapUpOptions {
  readonly runsElsewhere?: boolean
}

const OPTIONS = optionNames<WrapUpOptions>({ runsElsewhere: true })

/**
 * Makes a scope that an agent loop runs end with a closing call from now on, unless it was opened with `wrapUp: false`.
 * Returns whether it does. For adapters: call it before the first model call, which takes the hold. `runsElsewhere`:
 * the loop is in a program known only by its requests, so its end is not seen; `lapseConversation` releases its hold.
 */
export function expectWrapUp(runtime: ScopeRuntime, options: WrapUpOptions = {}): boolean {
  assertKnownOptions('expectWrapUp', options, OPTIONS)
  const { closing } = runtime
  if (closing.wrapsUp !== null) return closing.wrapsUp
  closing.wrapsUp = true
  closing.runsElsewhere = options.runsElsewhere ?? false
  // From here on, the last part of a time limit is reserved for the closing call.
  if (runtime.life.isOwned) runtime.clocks.setLimits(runtime.limits.filter(isClockLimit))
  return true
}
