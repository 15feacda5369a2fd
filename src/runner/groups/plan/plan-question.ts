import { displayAmount } from '../../../core/index.ts'
import type { Plan } from './plan.ts'

const LONGEST = 1_000
const SHOWN = ['cost', 'tokens', 'toolCalls', 'time'] as const

/** A plan as a question on one line. */
export function planQuestion({ steps, agents, worstCase, asks }: Plan): string {
  const shown = steps.map(({ children }, index) => {
    const names = children.map(({ agent, count }) => (count === 1 ? agent : `${agent} ×${count}`)).join(', ')
    return steps.length === 1 ? names : `${index + 1}. ${names}`
  })
  const most = SHOWN.map((meter) => {
    const amount = worstCase[meter]
    return `${meter} ${amount === null ? 'unbounded' : displayAmount(meter, amount, 'up')}`
  })
  const number = agents === null ? 'an unbounded number of agents' : agents === 1 ? '1 agent' : `${agents} agents`
  const why = asks.map(({ message }) => ` ${message}`).join('')
  const list = shown.join('; ')
  const short = list.length > LONGEST ? `${list.slice(0, LONGEST)}…` : list
  return `Start up to ${number}: ${short}? At most ${most.join(', ')}.${why}`
}
