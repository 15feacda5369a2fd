import { assertKnownOptions, optionNames } from '../../../core/index.ts'
import { isClockLimit, type ScopeRuntime } from '../../scope/scope-runtime.ts'

export interface WrapUpOptions {
  readonly runsElsewhere?: boolean
}

const OPTIONS = optionNames<WrapUpOptions>({ runsElsewhere: true })

/**
 * Makes a scope that an agent loop runs end with a closing call, from now on, unless it was opened with `wrapUp: false`.
 * For adapters, to be said before the first model call: the hold is taken with that. `runsElsewhere`: its loop is in a
 * program that is only known by its requests, so that its end is not seen: `lapseConversation` gives its hold back.
 * Whether it ends with a closing call is returned.
 */
export function expectWrapUp(runtime: ScopeRuntime, options: WrapUpOptions = {}): boolean {
  assertKnownOptions('expectWrapUp', options, OPTIONS)
  const { closing } = runtime
  if (closing.wrapsUp !== null) return closing.wrapsUp
  closing.wrapsUp = true
  closing.runsElsewhere = options.runsElsewhere ?? false
  // The last part of a time limit is the closing call's from here on.
  if (runtime.life.isOwned) runtime.clocks.setLimits(runtime.limits.filter(isClockLimit))
  return true
}
