import { isLimitExceeded, isStintError } from '../../core/index.ts'
import type { RunResult } from '../run/end/run-result.ts'
import { errorText } from '../run/record/recorded-tools.ts'
import type { ChildResult } from './group-result.ts'
import type { PlannedChild } from './step/step-plan.ts'

type Slot = Pick<ChildResult, 'id' | 'agent' | 'task' | 'step' | 'key' | 'label' | 'phase' | 'as'>

/** What is known of a child before it has started. */
export function slotOf(child: PlannedChild, step: number): Slot {
  const { id, agent, task, key, label, phase, as } = child
  return { id, agent, task, step: step + 1, key, label, phase, as }
}

/** A slot that stays empty, with the reason. */
export function emptySlot(slot: Slot, status: ChildResult['status'], reason: string): ChildResult {
  const nothing = { output: null, partialOutput: null, breach: null, usage: null, model: null, artifacts: null }
  return { ...slot, ...nothing, status, error: reason, timedOut: status === 'timed-out', durationMs: 0, warnings: [] }
}

/** The result of a child that ran. */
export function resultOf(slot: Slot, run: RunResult): ChildResult {
  const { status, output, partialOutput, breach, error, timedOut, usage, model, durationMs, artifacts, warnings } = run
  const structured = run.structured === undefined ? {} : { structured: run.structured }
  const acceptance = run.acceptance === undefined ? {} : { acceptance: run.acceptance }
  return {
    ...slot,
    status,
    output,
    ...structured,
    ...acceptance,
    partialOutput,
    breach,
    error,
    timedOut,
    usage,
    model,
    durationMs,
    artifacts,
    warnings,
  }
}

/** The result of a child that could not be started. */
export function resultOfError(slot: Slot, error: unknown): ChildResult {
  const message = errorText(error)
  if (isLimitExceeded(error)) {
    const { breach } = error
    const status = breach.meter === 'wallTime' ? 'timed-out' : 'limit-reached'
    return { ...emptySlot(slot, status, `Not started. ${message}`), breach }
  }
  // The group is paused: the child is started when it continues.
  if (isStintError(error, 'scope_paused')) return emptySlot(slot, 'queued', message)
  if (isStintError(error, 'scope_closed')) return emptySlot(slot, 'stopped', 'Not started: the group has ended.')
  return emptySlot(slot, 'failed', message)
}
