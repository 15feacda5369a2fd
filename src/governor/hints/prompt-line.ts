import { type Action, isEnforced } from '../../core/limits/action.ts'
import { compareLimits, type Limit } from '../../core/limits/limit.ts'
import type { Meter } from '../../core/meter.ts'
import { amountInWords, perPeriod } from './amount-words.ts'

const LABELS: Readonly<Partial<Record<Meter, string>>> = {
  toolCalls: 'Tool budget',
  modelCalls: 'Model budget',
  tokens: 'Token budget',
  outputTokens: 'Token budget',
  uncachedTokens: 'Token budget',
  cost: 'Cost budget',
  planningCost: 'Cost budget',
  executionCost: 'Cost budget',
  spawns: 'Subagent budget',
  depth: 'Subagent budget',
  time: 'Time budget',
  wallTime: 'Time budget',
}

const PACE = 'Pace yourself; if you cannot finish, stop early and return what you have and what is missing.'
const PLAN = 'Pace yourself; if you go past the plan, finish soon and say so.'

/**
 * The line for the system prompt: the agent's limits, in resolved numbers. Contains nothing that changes during a run,
 * so that prompt caches stay valid. Empty without a limit that an agent can pace itself by.
 */
export function promptLine(limits: readonly Limit[]): string {
  const shown = limits.filter(isShown).toSorted(compareLimits)
  const sentences = shown.filter((limit) => !shown.some((other) => isTighter(other, limit))).map(sentenceOf)
  const paced = shown.filter(({ meter }) => meter !== 'depth')
  if (paced.length > 0) sentences.push(paced.some(({ action }) => isEnforced(action)) ? PACE : PLAN)
  return sentences.join(' ')
}

function isShown({ meter, max }: Limit): boolean {
  return LABELS[meter] !== undefined && (meter !== 'depth' || max === 0)
}

/** Whether `other` makes `limit` redundant: the same meter, equally strict, and smaller. */
function isTighter(other: Limit, limit: Limit): boolean {
  return (
    compareLimits(other, limit) === 0 && isEnforced(other.action) === isEnforced(limit.action) && other.max < limit.max
  )
}

function sentenceOf({ meter, max, per, action }: Limit): string {
  const label = LABELS[meter]
  if (meter === 'depth') return `${label}: you may not start subagents.`
  const span = per === null ? ' for this task' : perPeriod(per)
  if (meter === 'spawns') {
    const subagents = `${max} ${max === 1 ? 'subagent' : 'subagents'}`
    return `${label}: ${isEnforced(action) ? 'you may start' : 'plan for'} ${subagents}${span}.`
  }
  const has = isEnforced(action) ? 'you have' : 'plan for'
  return `${label}: ${has} ${amountInWords(meter, max)}${span}${AT_THE_LIMIT[action]}.`
}

const AT_THE_LIMIT: Readonly<Record<Action, string>> = {
  terminate: '',
  warn: '',
  pause: '; at the limit the run is paused',
  ask: '; at the limit the run is paused until more is approved',
}
