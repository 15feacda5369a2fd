import type { LedgerStore, Limit } from '../../../src/core/index.ts'
import type { WitnessScope } from '../witness/records.ts'
import { type SimulatedProcess, sleep } from '../world/process.ts'
import { isExpected } from './expected-errors.ts'
import { fail, living, type Stage } from './stage.ts'
import { TEAM } from './worker.ts'

/** A person with a terminal: a process of its own, which has the store and nothing else. */
export interface Operator extends SimulatedProcess {
  readonly store: LedgerStore
}

/** Every second or so the operator does something to somebody, and looks that the team can go on. */
export async function operate(stage: Stage, operator: Operator): Promise<void> {
  const { dice } = stage.world
  while (!stage.isHealing) {
    await sleep(operator, dice.whole(200, 1_000))
    try {
      await act(stage, operator)
    } catch (error) {
      if (!isExpected(stage, error)) fail(stage, error as Error)
    }
  }
}

async function act(stage: Stage, operator: Operator): Promise<void> {
  const { dice } = stage.world
  const drawn = dice.unit()
  const open = [...stage.witness.scopes.values()].filter(({ status, kind }) => status !== 'ended' && kind !== 'lasting')
  const scope = open.length === 0 ? null : dice.pick(open)
  if (drawn < 0.25) await answerSome(stage, operator)
  else if (drawn < 0.45) await helpTeam(stage, operator)
  else if (drawn < 0.52) await assumeDead(stage, operator)
  else if (drawn < 0.56) await correctAssumed(stage, operator)
  else if (scope === null) return
  else if (drawn < 0.65)
    await operator.store.pause({ scopeId: scope.id, reason: 'by hand', by: 'operator', atMs: now(operator) })
  else if (drawn < 0.8) await operator.store.resume({ scopeId: scope.id, by: 'operator', atMs: now(operator) })
  else if (drawn < 0.95)
    await changeLimits(stage, operator, scope, dice.chance(0.7) ? dice.whole(110, 300) : dice.whole(10, 90))
  else await operator.store.close({ scopeId: scope.id, status: 'stopped', atMs: now(operator) })
}

const now = ({ clock }: Operator): number => clock.wallMs()

/** Approves in whole, in part, or denies. */
async function answerSome(stage: Stage, operator: Operator): Promise<void> {
  const { dice } = stage.world
  for (const { id, asked } of await operator.store.requests({ status: 'open' })) {
    const verdict = dice.chance(0.7) ? 'approved' : 'denied'
    const amount = dice.chance(0.5) ? dice.whole(1, asked) : asked
    const answer = { requestId: id, verdict, by: 'operator', atMs: now(operator) } as const
    await operator.store.answer(verdict === 'approved' ? { ...answer, amount } : answer)
    // A second person comes too late.
    if (dice.chance(0.2)) await operator.store.answer({ ...answer, verdict: 'approved', amount: asked })
  }
}

/** Gives the team more when most of what it may spend is gone. */
async function helpTeam(stage: Stage, operator: Operator): Promise<void> {
  const readings = await operator.store.read({ scopeId: TEAM, atMs: now(operator) })
  const team = readings?.at(-1)
  if (team === undefined) return
  const isShort = team.limits.some(({ remaining, limit }) => remaining < limit.max / 4)
  if (isShort) await changeLimits(stage, operator, stage.witness.scopes.get(TEAM)!, 160)
}

/** Writes every counter's limit anew, at so many hundredths of what it was. */
export async function changeLimits(
  stage: Stage,
  operator: Operator,
  scope: WitnessScope,
  percent: number,
): Promise<void> {
  const readings = await operator.store.read({ scopeId: scope.id, atMs: now(operator) })
  const reading = readings?.at(-1)
  if (reading === undefined || reading.limits.length === 0) return
  const limits = reading.limits.map(({ limit }): Limit => {
    const isCount = !['cost', 'planningCost', 'executionCost', 'tokens', 'outputTokens'].includes(limit.meter)
    const most = Math.max(1, Math.floor((limit.max * percent) / 100))
    return { ...limit, max: isCount && percent > 100 ? Math.max(limit.max + 1, most) : most }
  })
  // A person takes a while to think, and others may write meanwhile.
  await sleep(operator, stage.world.dice.whole(0, 400))
  const request = { scopeId: scope.id, limits, expectedRevision: reading.revision, by: 'operator' }
  await operator.store.setLimits({ ...request, atMs: now(operator) })
  stage.world.trace.note('operator', 'limits', scope.id, percent)
}

/** Looks who is gone, and charges what they have left open. Whoever has stood still for long may look dead, too. */
export async function assumeDead(stage: Stage, operator: Operator): Promise<void> {
  const { world } = stage
  const looksDead = ({ stalledUntilMs }: SimulatedProcess): boolean =>
    !stage.isHealing && stalledUntilMs > world.nowMs + 1_000 && world.dice.chance(0.5)
  const alive = living(stage).filter((process) => !looksDead(process))
  const holders = new Set(alive.map(({ holder }) => holder))
  // Whoever stood still may go on meanwhile, as another holder that was not there when we looked.
  const isBack = (holder: string): boolean =>
    living(stage).some((each) => each.holder === holder && each.stalledUntilMs <= world.nowMs)
  for (const { holder } of await operator.store.holders()) {
    if (!holders.has(holder) && !isBack(holder)) await operator.store.assume({ holder, atMs: now(operator) })
  }
}

/** Settles what was assumed with the provider's bill as evidence, or forgives what was never sent. */
async function correctAssumed(stage: Stage, operator: Operator): Promise<void> {
  const assumed = await operator.store.reservations({ state: 'assumed' })
  const isGone = (who: string): boolean => living(stage).every(({ holder }) => holder !== who)
  const records = assumed.map(({ id }) => stage.witness.reservations.get(id))
  const record = records.find((each) => each !== undefined && !each.isUsed && isGone(each.holder))
  if (record === undefined) return
  await operator.store.release({ reservationId: record.id, by: 'operator', reason: 'never sent', atMs: now(operator) })
}
