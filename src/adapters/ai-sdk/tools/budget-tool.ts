import { jsonSchema, type Tool } from 'ai'
import { messageOf } from '../../../core/checks/thrown.ts'
import { formatAmount, InvalidOptionError, isMeter, METER_NAMES, METERS, type Meter } from '../../../core/index.ts'
import type { Scope } from '../../../governor/index.ts'
import { markGoverned, partToGovern } from '../governed-part.ts'
import type { AnyTools } from './any-tool.ts'

export interface BudgetInput {
  readonly action: 'status' | 'request'
  readonly meter?: string
  readonly amount?: number
  readonly reason?: string
}

// An agent that only checks its budget makes no progress: from here on each check counts as a tool call.
const FREE_QUESTIONS = 20

const INPUT = jsonSchema<BudgetInput>({
  type: 'object',
  properties: {
    action: {
      type: 'string',
      enum: ['status', 'request'],
      description: 'status: what is used and left. request: ask a person for more.',
    },
    meter: {
      type: 'string',
      description: 'For a request: the meter to increase, e.g. toolCalls, tokens, cost, time.',
    },
    amount: { type: 'number', description: 'For a request: how much more; cost in USD, time in seconds.' },
    reason: { type: 'string', description: 'For a request: why.' },
  },
  required: ['action'],
  additionalProperties: false,
})

/** A tool with which an agent sees its budget and asks a person for more. It is not counted as a tool call. */
export function budgetTool(scope: Scope): Tool<BudgetInput, string> {
  let questions = 0
  const answer = (input: BudgetInput) => (input.action === 'request' ? request(scope, input) : status(scope))
  const execute = async (input: BudgetInput): Promise<string> => {
    if (++questions <= FREE_QUESTIONS) return answer(input)
    const outcome = await scope.callTool({ name: 'budget' }, () => answer(input))
    if (outcome.kind === 'done') return outcome.value
    const breach = outcome.kind === 'refused' ? outcome.breach : outcome.by
    return breach?.message ?? 'Not run: the run was stopped.'
  }
  return {
    description: 'Shows your budget (what is used and what is left), or asks a person for more of it.',
    inputSchema: INPUT,
    // As if it were counted already.
    execute: markGoverned(execute, scope, execute),
  }
}

/** Adds the budget tool to tools; `undefined` means none. Refuses to replace an existing tool. */
export function withBudgetTool(scope: Scope, tools: AnyTools | undefined): AnyTools {
  const { budget } = tools ?? {}
  if (budget === undefined) return { ...tools, budget: budgetTool(scope) }
  if (typeof budget.execute === 'function' && partToGovern(scope, budget.execute) === null) return tools!
  const form =
    'tools of which none is called "budget": rename yours, or add ours yourself, e.g. tools: { allowance: budgetTool(scope) }'
  throw new InvalidOptionError('governed({ budgetTool })', true, form)
}

async function status(scope: Scope): Promise<string> {
  const usage = await scope.usage({ path: true })
  const lines = METER_NAMES.flatMap((meter) => {
    const { limit, settled, remaining } = usage[meter]
    if (limit === null) return []
    const show = (amount: number): string => formatAmount(meter, amount)
    return [`${meter}: ${show(settled)} of ${show(limit)} used, ${show(remaining ?? 0)} left`]
  })
  return lines.length === 0 ? 'You have no limits.' : lines.join('\n')
}

async function request(scope: Scope, { meter, amount, reason = 'no reason given' }: BudgetInput): Promise<string> {
  const isLimited = meter !== undefined && isMeter(meter) && scope.limits().some((limit) => limit.meter === meter)
  if (!isLimited || typeof amount !== 'number' || !(amount > 0)) {
    const limited = [...new Set(scope.limits().map((limit) => limit.meter))].join(', ')
    return `Not asked: a request needs a meter that is limited (${limited || 'none is'}) and an amount above 0.`
  }
  try {
    const asked = await scope.requestIncrease({ meter, amount: inUnits(meter, amount), reason })
    return `Asked for ${formatAmount(meter, asked.asked)} more of ${meter}. A person decides; continue with what you have.`
  } catch (error) {
    return `Not asked: ${messageOf(error)}`
  }
}

function inUnits(meter: Meter, amount: number): number {
  const { unit } = METERS[meter]
  const factor = unit === 'nanoUsd' ? 1_000_000_000 : unit === 'milliseconds' ? 1_000 : 1
  return Math.max(1, Math.min(Number.MAX_SAFE_INTEGER, Math.ceil(amount * factor)))
}
