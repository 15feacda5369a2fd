import { METERS } from '../../core/index.ts'
import { adviceText } from '../../operate/advice/advice-text.ts'
import type { AgentAdvice } from '../../operate/advice/suggest-limits.ts'
import type { Answer } from '../contract.ts'

type Suggestion = Answer<'GET /api/reports/suggestions'>['suggestions'][number]

/** The suggestions for the limits of one agent type. */
export function suggestionsOf({ agent, done, cut, limits }: AgentAdvice): readonly Suggestion[] {
  return limits.map((limit) => {
    const { meter, suggested, current } = limit
    return { agentType: agent, meter, unit: METERS[meter].unit, suggested, current, done, cut, text: adviceText(limit) }
  })
}
