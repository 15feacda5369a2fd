import type { Meter, Status } from '../../../core/index.ts'
import type { MeterUsage } from '../../../governor/index.ts'
import type { TaskState, TaskStatus } from '../../tasks/task-record.ts'

const NANO_PER_USD = 1_000_000_000

/** The progress of a run, for its task record. */
export function taskState({ toolCalls, cost, time }: Readonly<Record<Meter, MeterUsage>>): TaskState {
  return {
    turns: toolCalls.settled,
    accumulated_cost_usd: cost.settled / NANO_PER_USD,
    elapsed_ms: time.settled,
  }
}

const STATUSES: Readonly<Partial<Record<Status, TaskStatus>>> = {
  queued: 'pending',
  running: 'in_progress',
  paused: 'paused',
  completed: 'completed',
  detached: 'completed',
}

/** A task has fewer statuses than a run: every unsuccessful end is `failed`. */
export function taskStatusOf(status: Status): TaskStatus {
  return STATUSES[status] ?? 'failed'
}
