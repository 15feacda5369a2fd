import { randomFrom } from '../../faults/random-from.ts'
import { describeSupervisorKills, type Kills, type Shape } from './describe-kills.ts'

const random = randomFrom(21)
const between = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1))
const SHAPES: readonly Shape[] = ['calls', 'group', 'background']

// 50 runs: in five of them one dies after the other, which takes six processes.
describeSupervisorKills(
  Array.from({ length: 50 }, (_, index): Kills => {
    if (index % 10 === 9) return { shape: 'sequential', moments: Array.from({ length: 5 }, () => between(1, 12)) }
    return { shape: SHAPES[index % 3]!, moment: between(1, 45) }
  }),
)
