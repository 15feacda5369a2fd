import type { Fate } from '../provider/fate.ts'
import type { Dice } from '../world/dice.ts'
import type { SimulatedProcess } from '../world/process.ts'
import { FAULT_KINDS, type FaultKind } from './fault-kind.ts'
import { living, type Stage } from './stage.ts'

/** A fault, and the number of the call at which it strikes. */
export interface PlannedFault {
  readonly kind: FaultKind
  readonly atCall: number
}

/** A seed has at least so many. */
export const FEWEST_FAULTS = 5

/** How many faults have struck. */
export function faultsOf({ faults }: Stage): number {
  return [...faults.values()].reduce((sum, count) => sum + count, 0)
}

/** At least five faults of any kind, spread over the calls of a seed. */
export function drawFaults(dice: Dice, calls: number): readonly PlannedFault[] {
  const faults = Array.from({ length: dice.whole(6, 12) }, () => {
    return { kind: dice.pick(FAULT_KINDS), atCall: dice.whole(3, calls - 5) }
  })
  return faults.sort((left, right) => left.atCall - right.atCall)
}

const FATES: Readonly<Partial<Record<FaultKind, readonly Fate[]>>> = {
  'lost response': ['lost', 'timed-out'],
  'truncated response': ['truncated', 'broken'],
  'malformed response': ['malformed'],
  'oversized response': ['oversized'],
}

const DAY_MS = 86_400_000
// Longer than a process waits before it looks again, and than the slowest operation takes, there and back.
const RECOVERY_MS = 2_500
const SLOW_RECOVERY_MS = 14_000

export interface Faults {
  /** What becomes of the next answer of the provider. */
  nextFate(): Fate
  /** Lets happen what was planned for this call. */
  onCall(stage: Stage, process: SimulatedProcess, restart: (process: SimulatedProcess) => void): void
}

/** The faults of a seed as they come due. */
export function createFaults(dice: Dice, planned: readonly PlannedFault[]): Faults {
  const due = [...planned]
  const fates: Fate[] = []
  let hit: (kind: FaultKind) => void = () => {}
  return {
    nextFate() {
      const fate = fates.shift()
      if (fate === undefined) return dice.chance(0.04) ? 'refused' : 'answered'
      hit((Object.keys(FATES) as FaultKind[]).find((kind) => FATES[kind]!.includes(fate))!)
      return fate
    },
    onCall(stage, process, restart) {
      hit = (kind) => countFault(stage, kind)
      while (due[0] !== undefined && due[0].atCall <= stage.calls) {
        const { kind } = due.shift()!
        const fate = FATES[kind]
        if (fate !== undefined) fates.push(dice.pick(fate))
        // Now or a little later, so that it falls between any two steps.
        else stage.world.after(dice.whole(0, 60), () => injure(stage, kind, process, restart))
      }
      // Some are planned for what then does not happen: answers go wrong in their place.
      if (due.length === 0 && fates.length === 0 && faultsOf(stage) < FEWEST_FAULTS) fates.push('lost')
    },
  }
}

/** A fault of its store has struck a process. It counts once, however many operations it hits. */
export function strike(stage: Stage, process: SimulatedProcess, kind: FaultKind): void {
  const recoveryMs = kind === 'slow store' ? SLOW_RECOVERY_MS : RECOVERY_MS
  process.troubledUntilMs = Math.max(process.troubledUntilMs, stage.world.nowMs + recoveryMs)
  if (process.struck.has(kind)) return
  process.struck.add(kind)
  countFault(stage, kind)
}

function countFault(stage: Stage, kind: FaultKind): void {
  stage.faults.set(kind, (stage.faults.get(kind) ?? 0) + 1)
}

function injure(
  stage: Stage,
  kind: FaultKind,
  first: SimulatedProcess,
  restart: (process: SimulatedProcess) => void,
): void {
  const { dice, trace } = stage.world
  const alive = living(stage)
  // Everybody is on the way up again.
  if (alive.length === 0) return
  const process = first.isDead ? dice.pick(alive) : first
  trace.note(process.name, 'FAULT', kind)
  if (kind === 'crash' || kind === 'death') {
    process.isDead = true
    const isLast = alive.length <= 2
    // A seed needs two processes: one that may not die for good comes back.
    countFault(stage, kind === 'death' && !isLast ? 'death' : 'crash')
    if (kind === 'crash' || isLast) stage.world.after(dice.whole(300, 6_000), () => restart(process))
  } else if (kind === 'pause') {
    process.stalledUntilMs = stage.world.nowMs + dice.whole(1_000, 20_000)
    countFault(stage, kind)
  } else if (kind === 'clock jump') {
    process.wallOffsetMs += dice.pick([-1, 1]) * dice.pick([30_000, 3_600_000, DAY_MS, 40 * DAY_MS])
    countFault(stage, kind)
  } else {
    const isEverywhere = kind === 'disk full' || (kind === 'store outage' && dice.chance(0.3))
    for (const each of isEverywhere ? alive : [process]) injureStore(each, kind, dice)
  }
}

function injureStore({ storeFaults, struck }: SimulatedProcess, kind: FaultKind, dice: Dice): void {
  struck.delete(kind)
  if (kind === 'store outage') storeFaults.outages += dice.whole(1, 5)
  else if (kind === 'disk full') storeFaults.fullDisk += dice.whole(1, 3)
  else if (kind === 'lost store answer') storeFaults.lostAnswers += dice.whole(1, 2)
  else storeFaults.slow += dice.whole(1, 4)
}
