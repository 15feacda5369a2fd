/** The status of a scope, run or task. */
export type Status =
  | 'queued'
  | 'running'
  | 'paused'
  | 'completed'
  | 'limit-reached'
  | 'timed-out'
  | 'failed'
  | 'stopped'
  | 'detached'

export const STATUSES = [
  'queued',
  'running',
  'paused',
  'completed',
  'limit-reached',
  'timed-out',
  'failed',
  'stopped',
  'detached',
] as const satisfies readonly Status[]

/** The statuses that a scope can end with. */
export type EndStatus = Exclude<Status, 'queued' | 'running' | 'paused'>

export const END_STATUSES = [
  'completed',
  'limit-reached',
  'timed-out',
  'failed',
  'stopped',
  'detached',
] as const satisfies readonly EndStatus[]

// Worst first: a group is only as good as its worst member.
const GROUP_ORDER = [
  'failed',
  'timed-out',
  'limit-reached',
  'stopped',
  'paused',
  'running',
  'queued',
  'completed',
  'detached',
] as const satisfies readonly Status[]

/** The status of a group. Without members it is completed. */
export function groupStatus(members: readonly Status[]): Status {
  return GROUP_ORDER.find((status) => members.includes(status)) ?? 'completed'
}

/** Counts members by status: "2 completed, 1 timed-out". */
export function countStatuses(members: readonly Status[]): string {
  const counts = STATUSES.map((status) => [members.filter((member) => member === status).length, status] as const)
  const parts = counts.filter(([count]) => count > 0).map(([count, status]) => `${count} ${status}`)
  return parts.length === 0 ? '0 results' : parts.join(', ')
}

const UNFINISHED: readonly Status[] = ['queued', 'running', 'paused']

/** Whether a scope with this status has ended for good. */
export function isEnded(status: Status): status is EndStatus {
  return !UNFINISHED.includes(status)
}
