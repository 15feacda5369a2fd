import type { AnthropicLanguageModelOptions } from '@ai-sdk/anthropic'
import type { ThinkingLevel } from '../../../agents/agent.ts'

type Options = Pick<AnthropicLanguageModelOptions, 'thinking' | 'effort'>
type Effort = NonNullable<Options['effort']>

// Models without thinking; models with a thinking budget; models that always think.
const THINKS_NEVER = /^claude-(?:3-(?:haiku|sonnet|opus|5)|2|instant)/
const HAS_BUDGET = /^claude-(?:3-7|(?:opus|sonnet|haiku)-4-[015](?:-|$)|(?:opus|sonnet)-4-2025)/
const THINKS_ALWAYS = /^claude-(?:fable-5|mythos-5|opus-5-5|sonnet-5-5)/
const NO_XHIGH = /^claude-(?:opus|sonnet)-4-6/

const BUDGETS: Readonly<Record<Exclude<ThinkingLevel, 'off'>, number>> = {
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  xhigh: 32_000,
}
const EFFORTS: Readonly<Record<Exclude<ThinkingLevel, 'off'>, Effort>> = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'xhigh',
}

/** A budget for older models, an effort for those that decide themselves how much to think. */
export function anthropicThinking(id: string, level: ThinkingLevel): Options | null {
  if (THINKS_NEVER.test(id)) return null
  if (level === 'off') return leastThinking(id)
  if (HAS_BUDGET.test(id)) return { thinking: { type: 'enabled', budgetTokens: BUDGETS[level] } }
  const effort = EFFORTS[level] === 'xhigh' && NO_XHIGH.test(id) ? 'high' : EFFORTS[level]
  return { thinking: { type: 'adaptive' }, effort }
}

function leastThinking(id: string): Options {
  if (!THINKS_ALWAYS.test(id)) return { thinking: { type: 'disabled' } }
  const isSonnet = id.startsWith('claude-sonnet-5-5')
  return isSonnet ? { thinking: { type: 'between_tools' }, effort: 'low' } : { effort: 'low' }
}
