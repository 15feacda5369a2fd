/**
 * Whether a scope is working or suspended. It is suspended while it or a scope above it is paused, while it only waits
 * for budget, or while it only waits for children that are suspended themselves. `time` and `idleTime` run only while
 * it works.
 *
 * Everything is counted and nothing is searched: a change costs the same with one child and with ten thousand.
 */
export interface Activity {
  /** Also `null` for a scope that another process runs: nothing here waits for it. */
  parent: Activity | null
  /** The parent's call in which the scope was opened, if any. */
  readonly within: CallActivity | null
  isSuspended: boolean
  isPaused: boolean
  /** Paused scopes above it. */
  pausesAbove: number
  /** From then on, nothing waits for its calls and waits that are still in progress. */
  hasEnded: boolean
  /** Model and tool calls in progress. */
  calls: number
  /** Those that only wait for suspended children. */
  coveredCalls: number
  /** Reservations waiting for room. */
  waits: number
  openChildren: number
  standingChildren: number
  readonly onChange: (isSuspended: boolean) => void
}

/** A call in progress, and the children opened in it. */
export interface CallActivity {
  readonly scope: Activity
  /** From then on, nothing waits for the children it left behind. */
  hasEnded: boolean
  openChildren: number
  standingChildren: number
}

/** A scope that has just started working. */
export function createActivity(
  parent: Activity | null,
  within: CallActivity | null,
  onChange: (isSuspended: boolean) => void,
): Activity {
  const activity: Activity = {
    parent,
    within: within?.scope === parent ? within : null,
    isSuspended: false,
    isPaused: false,
    pausesAbove: 0,
    hasEnded: false,
    calls: 0,
    coveredCalls: 0,
    waits: 0,
    openChildren: 0,
    standingChildren: 0,
    onChange,
  }
  if (parent !== null) adjustParent(activity, 1, 0)
  return activity
}

/** Adopts a scope that another process ran: its parent may now wait for it. */
export function joinParent(activity: Activity, parent: Activity): void {
  activity.parent = parent
  adjustParent(activity, 1, activity.isSuspended ? 1 : 0)
}

/** Another process runs it from now on: its parent here does not wait for it. */
export function leaveParent(activity: Activity): void {
  if (activity.parent !== null) adjustParent(activity, -1, activity.isSuspended ? -1 : 0)
  activity.parent = null
}

/** The scope has ended: nothing waits for it any more. */
export function endActivity(activity: Activity): void {
  if (activity.parent !== null) adjustParent(activity, -1, activity.isSuspended ? -1 : 0)
  activity.hasEnded = true
}

/** A call begins. */
export function beginCall(scope: Activity): CallActivity {
  scope.calls++
  refresh(scope)
  return { scope, hasEnded: false, openChildren: 0, standingChildren: 0 }
}

/** A call has ended, with or without success. */
export function endCall(call: CallActivity): void {
  const { scope } = call
  scope.calls--
  if (call.openChildren > 0) leaveChildren(call)
  call.hasEnded = true
  refresh(scope)
}

function leaveChildren(call: CallActivity): void {
  const { scope } = call
  if (isCovered(call)) scope.coveredCalls--
  scope.openChildren -= call.openChildren
  scope.standingChildren -= call.standingChildren
}

/** A reservation starts (`1`) or stops (`-1`) waiting. */
export function countWait(scope: Activity, change: 1 | -1): void {
  scope.waits += change
  refresh(scope)
}

/** The scope is paused or resumed. */
export function setPaused(scope: Activity, isPaused: boolean): void {
  scope.isPaused = isPaused
  refresh(scope)
}

/** A scope above is paused (`1`) or resumed (`-1`). */
export function countPauseAbove(scope: Activity, change: 1 | -1): void {
  scope.pausesAbove += change
  refresh(scope)
}

function refresh(scope: Activity): void {
  if (scope.hasEnded) return
  const isPaused = scope.isPaused || scope.pausesAbove > 0
  const waits = scope.waits > 0 || (scope.openChildren > 0 && scope.standingChildren === scope.openChildren)
  const isSuspended = isPaused || (waits && scope.calls <= scope.coveredCalls)
  if (isSuspended === scope.isSuspended) return
  scope.isSuspended = isSuspended
  scope.onChange(isSuspended)
  if (scope.parent !== null) adjustParent(scope, 0, isSuspended ? 1 : -1)
}

function adjustParent({ parent, within }: Activity, open: number, standing: number): void {
  if (parent === null || within?.hasEnded === true) return
  parent.openChildren += open
  parent.standingChildren += standing
  if (within !== null) {
    const wasCovered = isCovered(within)
    within.openChildren += open
    within.standingChildren += standing
    parent.coveredCalls += Number(isCovered(within)) - Number(wasCovered)
  }
  refresh(parent)
}

function isCovered(call: CallActivity): boolean {
  return call.openChildren > 0 && call.standingChildren === call.openChildren
}
