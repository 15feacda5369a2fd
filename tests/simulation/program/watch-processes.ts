import { demandWoken, forgetRoom } from '../witness/waiters.ts'
import type { SimulatedProcess } from '../world/process.ts'
import { demand } from '../world/violation.ts'
import { type Loop, living, type Stage } from './stage.ts'

const LOOK_MS = 400
// A second is promised; a store that takes its time, and the time between two looks, come on top.
const LONGEST_DEAFNESS_MS = 3_000
// So long after it stood still a process may still be catching up.
const RECOVERY_MS = 3_000

/** Looks again and again whether each process has heard what others did, and whether somebody waits for what is there. */
export function watchProcesses(stage: Stage): void {
  const { world, witness } = stage
  const deafSince = new Map<Loop, number>()

  function look(): void {
    for (const process of living(stage)) {
      const isSound = !isTroubled(process, world.nowMs)
      // Whose turn it is is no question where one waits alone.
      if (isSound && process.pendingCalls === 1) {
        demandWoken(witness.waiters, process.holder, process.clock.wallMs(), world.nowMs)
      } else forgetRoom(witness.waiters, process.holder)
      for (const loop of stage.loops.values()) if (loop.process === process) listen(loop, isSound)
    }
    world.after(LOOK_MS, look)
  }

  function listen(loop: Loop, isSound: boolean): void {
    if (!isSound || hasHeard(stage, loop)) {
      deafSince.delete(loop)
      return
    }
    const sinceMs = deafSince.get(loop) ?? world.nowMs
    deafSince.set(loop, sinceMs)
    demand(world.nowMs - sinceMs <= LONGEST_DEAFNESS_MS, 'remote control', () => {
      const { status, owner } = witness.scopes.get(loop.scope.id)!
      return `${loop.process.holder} goes on with ${loop.scope.id}, which is ${status} and of ${owner}`
    })
  }

  world.after(LOOK_MS, look)
}

function isTroubled({ stalledUntilMs, troubledUntilMs }: SimulatedProcess, nowMs: number): boolean {
  return nowMs < troubledUntilMs || nowMs < stalledUntilMs + RECOVERY_MS
}

/** Ended, taken over or paused in the store is ended or paused here. */
function hasHeard({ witness }: Stage, { scope, process }: Loop): boolean {
  const { status, isAsking, owner, isOrphaned } = witness.scopes.get(scope.id)!
  if (scope.signal.aborted) return true
  if (status === 'ended' || owner !== process.holder || isOrphaned) return false
  return status !== 'paused' || isAsking || scope.status() !== 'running'
}
