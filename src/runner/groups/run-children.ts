import { isEnded } from '../../core/index.ts'
import { emptySlot, slotOf } from './child-result.ts'
import type { ChildResult } from './group-result.ts'
import type { GroupRun } from './group-run.ts'
import { runChild } from './run-child.ts'
import type { PlannedChild, StepPlan } from './step/step-plan.ts'

/** Runs the agents of a step, up to `concurrency` at once, and returns their results in order. */
export async function runChildren(run: GroupRun, plan: StepPlan): Promise<readonly ChildResult[]> {
  const { children, step, concurrency, failFast } = plan
  const results: ChildResult[] = []
  const failing = new AbortController()
  const signal = AbortSignal.any([run.signal, failing.signal])
  let failed: ChildResult | null = null
  let next = 0

  /** Why nothing more is started; `null` if it may be. */
  function reasonNot(): string | null {
    if (failed !== null) return `Not started: ${failed.agent} (${failed.key}) did not complete, and failFast is on.`
    if (run.signal.aborted) return 'Not started: the group was stopped.'
    return null
  }

  async function runNext(child: PlannedChild, place: number): Promise<void> {
    const reason = reasonNot()
    const result =
      reason === null || run.isResumed
        ? await runChild(run, step, child, signal)
        : emptySlot(slotOf(child, step), 'stopped', reason)
    results[place] = result
    run.tell({ kind: 'ended', id: child.id, status: result.status, error: result.error })
    if (!failFast || failed !== null || result.status === 'completed' || !isEnded(result.status)) return
    failed = result
    failing.abort(new Error(`${result.agent} did not complete`))
  }

  async function work(): Promise<void> {
    while (next < children.length) {
      const place = next++
      await runNext(children[place]!, place)
    }
  }

  await Promise.all(Array.from({ length: Math.min(concurrency, children.length) }, work))
  return results
}
