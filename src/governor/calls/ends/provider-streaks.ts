import { isStintError } from '../../../core/index.ts'
import { endScope } from '../../scope/end-scope.ts'
import { isLiving, type ScopeRuntime } from '../../scope/scope-runtime.ts'
import { pauseScope } from '../../steering/pause-and-resume.ts'
import { isLeftOpen } from './call-reach.ts'
import { errorWords } from './error-words.ts'

// Each is charged at its worst case: a third would only cost more.
const MOST_LEFT_OPEN = 2

/** Counts a call that the provider refused. Too many in a row end the run. */
export async function noteRefused(runtime: ScopeRuntime, error: unknown): Promise<void> {
  for (const scope of runtime.rootToSelf) scope.provider.refused++
  const { provider, context } = runtime
  provider.leftOpenInRow = 0
  provider.refusedInRow++
  const { mostRefusals } = context
  if (provider.refusedInRow < mostRefusals || !mayAct(runtime)) return
  await endScope(runtime, 'failed', `The provider refused ${mostRefusals} calls in a row: ${errorWords(error)}`)
}

/**
 * Counts a call that failed with unknown usage. If the upstream leaves two in a row unfinished, the run is paused
 * before it spends more that way; if it cannot be paused, it fails.
 */
export async function noteCut(runtime: ScopeRuntime, error: unknown): Promise<void> {
  if (!isLeftOpen(error)) return
  const { provider } = runtime
  provider.refusedInRow = 0
  provider.leftOpenInRow++
  if (provider.leftOpenInRow < MOST_LEFT_OPEN || !mayAct(runtime)) return
  provider.leftOpenInRow = 0
  const reason =
    `The upstream left ${MOST_LEFT_OPEN} calls in a row unfinished (${errorWords(error)}). ` +
    'Their cost is assumed. Resume when it can be reached again.'
  try {
    await pauseScope(runtime, { reason })
  } catch (pauseError) {
    if (!isStintError(pauseError, 'scope_closed')) await endScope(runtime, 'failed', reason)
  }
}

/** A lasting scope is shared, another process's scope runs there, and a halted one ends by itself. */
function mayAct(runtime: ScopeRuntime): boolean {
  const { kind, life, rootToSelf } = runtime
  const isStopping = rootToSelf.some((scope) => scope.life.halt !== null)
  return kind !== 'lasting' && life.isOwned && isLiving(runtime) && !isStopping && life.pause === null
}
