import { displayAmount, type Meter } from '../../core/index.ts'
import type { Plan } from '../../runner/index.ts'
import { formatTable } from '../output/table.ts'

const SHOWN = ['toolCalls', 'tokens', 'cost', 'time'] as const

/** A plan as text: a row for each step, the worst case, and whether it fits. */
export function planText(plan: Plan, width: number): string {
  const rows = plan.steps.map(({ children, agents, worstCase }, index) => {
    const names = children.map(({ agent, count }) => (count === 1 ? agent : `${agent} ×${count}`)).join(', ')
    return [`${index + 1}`, names, agentsText(agents), ...SHOWN.map((meter) => amountText(meter, worstCase[meter]))]
  })
  const most = [
    '',
    'at most',
    agentsText(plan.agents),
    ...SHOWN.map((meter) => amountText(meter, plan.worstCase[meter])),
  ]
  const limits = ['', 'limit', limitText(plan, 'spawns'), ...SHOWN.map((meter) => limitText(plan, meter))]
  const columns = ['Step', { heading: 'Agent', shrinksTo: 12 }, 'Agents', 'Tool calls', 'Tokens', 'Cost', 'Time']
  const table = formatTable(columns, [...rows, most, limits], width)
  return [table, '', verdict(plan), ...question(plan)].join('\n')
}

function verdict({ fits, limits, breaches }: Plan): string {
  if (!fits)
    return [
      'It may not fit. A run that reaches a limit returns what it has.',
      ...breaches.map(({ message }) => `  ${message}`),
    ].join('\n')
  return limits.length === 0 ? 'It has no limits. Try one with --limit cost=2.' : 'It fits.'
}

function question({ asks }: Plan): readonly string[] {
  if (asks.length === 0) return []
  return ['A person is asked before it starts.', ...asks.map(({ message }) => `  ${message}`)]
}

function agentsText(agents: number | null): string {
  return agents === null ? 'unbounded' : String(agents)
}

function amountText(meter: Meter, amount: number | null): string {
  return amount === null ? 'unbounded' : displayAmount(meter, amount, 'up')
}

function limitText({ limits }: Plan, meter: Meter): string {
  const own = limits.find((limit) => limit.meter === meter && limit.per === null)
  return own === undefined ? '' : displayAmount(meter, own.max, 'down')
}
