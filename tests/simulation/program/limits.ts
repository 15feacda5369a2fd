import type { LayerInput, LimitsObject } from '../../../src/policy/index.ts'
import type { Dice } from '../world/dice.ts'

type ActionWord = NonNullable<LimitsObject['onLimit']>

const ACTIONS: readonly ActionWord[] = ['terminate', 'terminate', 'terminate', 'pause', 'ask', 'ask', 'warn']

/** Limits of the budget that everybody shares: reached within a seed, more than once. */
export function teamLimits(dice: Dice): LimitsObject {
  const money = dice.whole(200, 1_500) / 1_000
  return {
    cost: dice.chance(0.5) ? { max: money, per: 'hour' } : money,
    ...(dice.chance(0.4)
      ? { tokens: [{ max: dice.whole(60_000, 300_000) }, { max: dice.whole(40_000, 200_000), per: 'day' }] }
      : {}),
    ...(dice.chance(0.4) ? { modelCalls: dice.whole(20, 90) } : {}),
    ...(dice.chance(0.2) ? { spawns: dice.whole(15, 60) } : {}),
    ...(dice.chance(0.2) ? { concurrency: dice.whole(2, 5) } : {}),
    ...(dice.chance(0.2) ? { planningCost: dice.whole(20, 200) / 1_000 } : {}),
    ...(dice.chance(0.2) ? { executionCost: dice.whole(100, 1_000) / 1_000 } : {}),
    onLimit: dice.pick(ACTIONS),
  }
}

/** Limits of a run or of an agent below it: some of them, and small enough to be reached. */
export function runLimits(dice: Dice): LimitsObject {
  return {
    ...(dice.chance(0.35) ? { tokens: dice.whole(3_000, 30_000) } : {}),
    ...(dice.chance(0.35) ? { cost: dice.whole(10, 200) / 1_000 } : {}),
    ...(dice.chance(0.2) ? { executionCost: dice.whole(10, 150) / 1_000 } : {}),
    ...(dice.chance(0.2) ? { modelCalls: dice.whole(2, 12) } : {}),
    ...(dice.chance(0.3) ? { toolCalls: dice.whole(1, 6) } : {}),
    ...(dice.chance(0.15) ? { outputTokens: dice.whole(2_000, 15_000) } : {}),
    ...(dice.chance(0.2) ? { concurrency: dice.whole(1, 2) } : {}),
    ...(dice.chance(0.2) ? { spawns: dice.whole(1, 4) } : {}),
    ...(dice.chance(0.2) ? { depth: dice.whole(0, 2) } : {}),
    ...(dice.chance(0.1) ? { time: dice.whole(4_000, 30_000) } : {}),
    ...(dice.chance(0.05) ? { idleTime: dice.whole(2_000, 10_000) } : {}),
    onLimit: dice.pick(ACTIONS),
  }
}

/** An operator's ceilings for every third run, above what it has and within what it may be raised to. */
export function ceilingsOver({ tokens, cost }: LimitsObject, id: string): readonly LayerInput[] {
  if (Number(/\d+$/.exec(id)?.[0] ?? 1) % 3 !== 0) return []
  const above = (limit: unknown, otherwise: number): number => (typeof limit === 'number' ? limit : otherwise) * 1.5
  const limits = { tokens: Math.floor(above(tokens, 20_000)), cost: above(cost, 0.12).toFixed(3) }
  return [{ layer: 'ceiling', limits, file: 'stint.config.yaml' }]
}
