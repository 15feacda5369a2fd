import type { Breaches } from '../../core/index.ts'
import { changeLifecycle } from '../scope/change-lifecycle.ts'
import type { ScopeRuntime } from '../scope/scope-runtime.ts'
import type { IncreaseRequest, OpenIncrease } from './increase.ts'
import { isUnattended } from './pause.ts'
import { goOnScope, pauseScope } from './pause-and-resume.ts'

interface AnswerPause {
  /** `false`: its loops end, and it stays paused until it is resumed. Default: true. */
  readonly waits?: boolean
  onDenied?(): void
}

/** Pauses a scope until a request is answered, whether or not its callers still wait. */
export async function pauseForAnswer(
  runtime: ScopeRuntime,
  increase: OpenIncrease,
  breaches: Breaches,
  { waits = true, onDenied = () => {} }: AnswerPause,
): Promise<void> {
  while (runtime.steering.resuming !== null) await runtime.steering.resuming
  const { status } = increase.request
  // The request may have been answered before it was fully made, or before that resume was.
  if (status !== 'open') {
    if (status !== 'approved') onDenied()
    return
  }
  increase.paused.set(runtime.id, (isGranted) => {
    if (!isGranted) onDenied()
    goOn(runtime, increase.request)
  })
  const { id: request } = increase.request
  await pauseScope(runtime, { breaches, request, loopEnds: !waits, reason: breaches[0].message })
}

/** Resumes a scope that was paused for this request, unless it is paused for another one too. */
function goOn(runtime: ScopeRuntime, { id, by }: IncreaseRequest): void {
  const { pause } = runtime.life
  // Its loops have ended: the next resume finds the answer.
  if (pause?.request !== id || isUnattended(pause)) return
  const other = [...runtime.context.increases.values()].find(({ paused }) => paused.has(runtime.id))
  if (other === undefined || runtime.life.halt !== null) goOnScope(runtime, by).catch(() => {})
  else changeLifecycle(runtime, { kind: 'asked-other', request: other.request.id })
}
