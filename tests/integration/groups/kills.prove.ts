import { randomFrom } from '../../faults/random-from.ts'
import { describeGroupKills } from './describe-kills.ts'

const random = randomFrom(20)
const between = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1))

/** So many moments, each once. */
function moments(count: number, pick: () => string): readonly string[] {
  const picked = new Set<string>()
  for (let turn = 0; turn < 1_000 && picked.size < count; turn++) picked.add(pick())
  return [...picked]
}

/** Of each kind of group. More of them, e.g. 50, take half an hour. */
const KILLS = Number(process.env.STINT_KILLS ?? 25)

// In requests, at the ends of agents, and at anything else that is told.
const pickFrom = (calls: number, ends: number, told: number) => (): string => {
  const kind = between(1, 3)
  if (kind === 1) return `call-${between(1, calls)}`
  return kind === 2 ? `ended-${between(1, ends)}` : `told-${between(1, told)}`
}

describeGroupKills('parallel', moments(KILLS, pickFrom(40, 20, 200)))
describeGroupKills('chain', moments(KILLS, pickFrom(16, 8, 80)))
