import { demand } from '../world/violation.ts'
import { assumeDead, changeLimits, type Operator } from './operator.ts'
import { fail, isRun, living, type Stage } from './stage.ts'
import { isFree, takeUpScope } from './take-up.ts'
import { TEAM } from './worker.ts'

// Longer than any wait, stall, grace and poll of a seed together.
const HEALING_MS = 120_000

/**
 * Faults are over. What lives comes to its end, what died is assumed, what was left behind is taken up again and
 * ended; then nothing may be left: nobody waits, nothing is reserved or held, nothing is open.
 */
export async function heal(stage: Stage, operator: Operator): Promise<void> {
  const { world } = stage
  stage.isHealing = true
  world.trace.note('operator', 'HEALING')
  for (const { storeFaults } of stage.processes)
    Object.assign(storeFaults, { outages: 0, lostAnswers: 0, fullDisk: 0, slow: 0 })
  const untilMs = world.nowMs + HEALING_MS
  const isOver = (): boolean => stage.violation !== null
  let isTended = false
  const tending = tend(stage, operator).then(
    () => {
      isTended = true
    },
    (error: Error) => fail(stage, error),
  )
  await world.run(untilMs, () => isOver() || isTended)
  if (isOver()) return
  demand(isTended, 'nothing stuck', () => `after ${HEALING_MS} ms of healing: ${stuck(stage).join('; ')}`)
  await tending
  await demandHealed(stage, operator)
}

async function tend(stage: Stage, operator: Operator): Promise<void> {
  const { world } = stage
  const pause = (ms: number): Promise<void> => new Promise((resolve) => void world.after(ms, resolve))
  // Whoever waits for an answer gets one, and whoever is paused may go on.
  for (let round = 0; stuck(stage).length > 0; round++) {
    await assumeDead(stage, operator)
    for (const { id } of await operator.store.requests({ status: 'open' })) {
      await operator.store.answer({ requestId: id, verdict: 'denied', by: 'operator', atMs: operator.clock.wallMs() })
    }
    for (const scope of [...stage.witness.scopes.values()]) {
      const helper = living(stage).find((process) => isFree(stage, scope, process))
      if (helper !== undefined) await takeUpScope(stage, helper, scope)
    }
    if (round === 3) await changeLimits(stage, operator, stage.witness.scopes.get(TEAM)!, 1_000)
    await pause(1_000)
  }
}

/** What still keeps the seed from being over. */
function stuck(stage: Stage): readonly string[] {
  const loops = living(stage).flatMap(({ name, tasks }) => [...tasks].map((task) => `${name} ${task} is not done`))
  const running = [...stage.loops.keys()].filter((id) => isRun(stage, id)).map((id) => `the loop of ${id} runs`)
  const open = [...stage.witness.scopes.values()].filter(({ status, kind }) => status !== 'ended' && kind !== 'lasting')
  const scopes = open.map(({ id, status, owner, isOrphaned }) => {
    return `${id} is ${status}, of ${owner}${isOrphaned ? ', which died' : ''}`
  })
  const reserved = [...stage.witness.reservations.values()].filter(({ state }) => state === 'open')
  return [...loops, ...running, ...scopes, ...reserved.map(({ id, holder }) => `${id} of ${holder} is still reserved`)]
}

async function demandHealed(stage: Stage, operator: Operator): Promise<void> {
  const { witness, world } = stage
  await witness.compareAll(operator.clock.wallMs())
  await witness.compareHistory(operator.clock.wallMs())
  for (const { id, limits, life } of witness.scopes.values()) {
    demand(
      life.reserved.every((amount) => amount === 0),
      'nothing stuck',
      () => `${id} has ${life.reserved} reserved`,
    )
    for (const { held, meter } of limits) {
      demand(held === 0, 'nothing stuck', () => `${held} of ${meter} of ${id} is held, and everything has ended`)
    }
  }
  for (const { id, expected, charged, amounts, isUsed } of witness.reservations.values()) {
    if (!isUsed || expected.kind !== 'exact' || String(charged) === String(amounts)) continue
    demand(String(charged) === String(expected.amounts), 'no lost money', () => {
      return `${id} cost ${expected.amounts}, and ${charged} was charged`
    })
  }
  demand(witness.openRequests.size === 0, 'nothing stuck', () => {
    return `nobody answers ${[...witness.openRequests.values()].map(({ id }) => id).join(', ')}`
  })
  world.trace.note('operator', 'healed')
}
