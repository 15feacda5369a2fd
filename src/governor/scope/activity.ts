/**
 * Whether a scope works or stands. It stands while it or a scope above it is paused, while it only waits for budget, or
 * while all that it waits for are children that stand. `time` and `idleTime` run only while it works.
 *
 * Everything is counted, nothing is searched: a change costs the same with one child and with ten thousand.
 */
export interface Activity {
  /** `null` as well for a scope that another process runs: nobody here waits for it. */
  parent: Activity | null
  /** The call of the parent inside which the scope was opened, if there was one. */
  readonly within: CallActivity | null
  stands: boolean
  isPaused: boolean
  /** Scopes above it that are paused. */
  pausesAbove: number
  /** From then on its calls and waits that are still under way are nobody's to wait for. */
  hasEnded: boolean
  /** Model and tool calls that are running. */
  calls: number
  /** Those of them that wait for nothing but children that stand. */
  coveredCalls: number
  /** Reservations that wait for room. */
  waits: number
  openChildren: number
  standingChildren: number
  readonly onChange: (stands: boolean) => void
}

/** One running call, and the children that were opened inside it. */
export interface CallActivity {
  readonly scope: Activity
  /** From then on nobody waits for the children that it left behind. */
  hasEnded: boolean
  openChildren: number
  standingChildren: number
}

/** A scope that has just begun to work. */
export function createActivity(
  parent: Activity | null,
  within: CallActivity | null,
  onChange: (stands: boolean) => void,
): Activity {
  const activity: Activity = {
    parent,
    within: within?.scope === parent ? within : null,
    stands: false,
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

/** A scope that another process ran is ours now, and its parent may wait for it. */
export function joinParent(activity: Activity, parent: Activity): void {
  activity.parent = parent
  adjustParent(activity, 1, activity.stands ? 1 : 0)
}

/** The scope has ended: it is nothing to wait for any more. */
export function endActivity(activity: Activity): void {
  if (activity.parent !== null) adjustParent(activity, -1, activity.stands ? -1 : 0)
  activity.hasEnded = true
}

/** A call begins. */
export function beginCall(scope: Activity): CallActivity {
  scope.calls++
  refresh(scope)
  return { scope, hasEnded: false, openChildren: 0, standingChildren: 0 }
}

/** A call has ended, one way or the other. */
export function endCall(call: CallActivity): void {
  const { scope } = call
  scope.calls--
  if (isCovered(call)) scope.coveredCalls--
  scope.openChildren -= call.openChildren
  scope.standingChildren -= call.standingChildren
  call.hasEnded = true
  refresh(scope)
}

/** A reservation begins (`1`) or ends (`-1`) to wait. */
export function countWait(scope: Activity, change: 1 | -1): void {
  scope.waits += change
  refresh(scope)
}

/** The scope is paused, or goes on. */
export function setPaused(scope: Activity, isPaused: boolean): void {
  scope.isPaused = isPaused
  refresh(scope)
}

/** A scope above is paused (`1`), or goes on (`-1`). */
export function countPauseAbove(scope: Activity, change: 1 | -1): void {
  scope.pausesAbove += change
  refresh(scope)
}

function standsNow(scope: Activity): boolean {
  if (scope.isPaused || scope.pausesAbove > 0) return true
  if (scope.calls > scope.coveredCalls) return false
  return scope.waits > 0 || (scope.openChildren > 0 && scope.standingChildren === scope.openChildren)
}

function refresh(scope: Activity): void {
  if (scope.hasEnded) return
  const stands = standsNow(scope)
  if (stands === scope.stands) return
  scope.stands = stands
  scope.onChange(stands)
  if (scope.parent !== null) adjustParent(scope, 0, stands ? 1 : -1)
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
