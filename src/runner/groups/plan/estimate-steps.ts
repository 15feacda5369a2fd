import { describeSource, displayAmount, type Limit } from '../../../core/index.ts'
import type { Threshold } from '../../run/consent-layers.ts'
import type { ChainStep } from '../chain/chain.ts'
import { certainAgents } from './certain-agents.ts'
import type { Plan, PlannedBreach, PlannedChild, PlannedMeter, PlannedStep, WorstCase } from './plan.ts'
import { boundOf, largestOf, PLANNED_METERS, smallerOf, sumOf, timesOf, worstCaseFrom } from './worst-case.ts'

/** One agent with the limits that it would run under. */
export interface ChildToPlan {
  readonly agent: string
  readonly label: string | null
  readonly count: number
  readonly limits: readonly Limit[]
  /** Whether it has a tool that starts agents. */
  readonly maySpawn: boolean
  /** How often its work is reviewed at most, each time by another agent. */
  readonly reviews: number
}

export interface StepToPlan {
  readonly kind: ChainStep['kind']
  readonly label: string | null
  readonly children: readonly ChildToPlan[]
  readonly concurrency: number
}

/** Adds up the worst case of steps under the limits of their run. Starts nothing and queries no store. */
export function planSteps(
  steps: readonly StepToPlan[],
  limits: readonly Limit[],
  asked: Threshold = { agents: null, cost: null },
): Plan {
  const planned = steps.map((step) => planStep(step, limits))
  const agents = sumOf(planned.map((step) => step.agents))
  const worstCase = worstCaseFrom((meter) => sumOf(planned.map((step) => step.worstCase[meter])))
  const breaches = breachesOf(limits, worstCase, agents)
  const asks = asksOf(asked, limits, worstCase, certainAgents(planned))
  return { fits: breaches.length === 0, steps: planned, agents, worstCase, limits, breaches, asks }
}

function planStep({ kind, label, concurrency, children }: StepToPlan, limits: readonly Limit[]): PlannedStep {
  const planned = children.map((child) => planChild(child, limits))
  const agents = sumOf(planned.map(({ count, spawns }) => timesOf(sumOf([1, spawns]), count)))
  const worstCase = worstCaseFrom((meter) =>
    meter === 'time'
      ? timeOf(planned, concurrency)
      : sumOf(planned.map((child) => timesOf(child.worstCase[meter], child.count))),
  )
  return { kind, label, children: planned, concurrency, agents, worstCase }
}

function planChild(
  { agent, label, count, limits: own, maySpawn, reviews }: ChildToPlan,
  limits: readonly Limit[],
): PlannedChild {
  const bound = (meter: PlannedMeter | 'spawns'): number | null =>
    smallerOf(boundOf(own, meter), boundOf(limits, meter))
  const spawns = maySpawn ? bound('spawns') : smallerOf(reviews, bound('spawns'))
  return { agent, label, count, spawns, worstCase: worstCaseFrom(bound) }
}

/** Children that run concurrently: as many rounds of the longest as it takes. */
function timeOf(children: readonly PlannedChild[], concurrency: number): number | null {
  const started = children.filter(({ count }) => count > 0)
  const count = started.reduce((sum, child) => sum + child.count, 0)
  return timesOf(largestOf(started.map(({ worstCase }) => worstCase.time)), Math.ceil(count / concurrency))
}

function breachesOf(limits: readonly Limit[], worstCase: WorstCase, agents: number | null): readonly PlannedBreach[] {
  const figures = [...PLANNED_METERS.map((meter) => [meter, worstCase[meter]] as const), ['spawns', agents] as const]
  return figures.flatMap(([meter, figure]) => {
    const limit = boundOf(limits, meter)
    if (limit === null || (figure !== null && figure <= limit)) return []
    const { source } = limits.find((each) => each.meter === meter && each.max === limit)!
    return [{ meter, limit, worstCase: figure, message: messageOf(meter, limit, figure, describeSource(source)) }]
  })
}

/** Where the worst case, capped by the limits of the run, exceeds `askAbove`. */
function asksOf(
  { agents, cost }: Threshold,
  limits: readonly Limit[],
  worstCase: WorstCase,
  certain: number | null,
): readonly PlannedBreach[] {
  const figures = [
    ['spawns', agents, certain],
    ['cost', cost, worstCase.cost],
  ] as const
  return figures.flatMap(([meter, above, planned]) => {
    const figure = smallerOf(planned, boundOf(limits, meter))
    if (above === null || (figure !== null && figure <= above.max)) return []
    const { max, source } = above
    const [name, worst] = [meter === 'spawns' ? 'agents' : meter, amountText(meter, figure)]
    const message = `${name}: the worst case is ${worst}, and it asks above ${displayAmount(meter, max, 'down')} (${describeSource(source)}).`
    return [{ meter, limit: max, worstCase: figure, message }]
  })
}

function amountText(meter: PlannedMeter | 'spawns', figure: number | null): string {
  return figure === null ? 'unbounded' : displayAmount(meter, figure, 'up')
}

function messageOf(meter: PlannedMeter | 'spawns', limit: number, figure: number | null, source: string): string {
  const most = amountText(meter, figure)
  const name = meter === 'spawns' ? 'agents' : meter
  return `${name}: the worst case is ${most}, and the limit is ${displayAmount(meter, limit, 'down')} (${source}).`
}
