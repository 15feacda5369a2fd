import { isEnforced } from '../../core/limits/action.ts'
import { METERS, type Meter } from '../../core/meter.ts'
import { partOfLimit, showLeft, showUsed } from './amount-words.ts'
import { leftOf, type Standing, tightestPerMeter } from './standing.ts'

type Urgency = 'none' | 'soon' | 'now' | 'last' | 'over'

// What an agent can pace itself by while it works. Spawns are refused one by one, and each refusal says so.
const SPEAKING: ReadonlySet<Meter> = new Set<Meter>([
  'toolCalls',
  'modelCalls',
  'tokens',
  'outputTokens',
  'uncachedTokens',
  'cost',
  'planningCost',
  'executionCost',
  'time',
  'wallTime',
])

const LAST_COUNTS = 3

/**
 * The suffix for the last tool result of a batch, from the state of every limit on the path after it; `null` while none
 * is tight. It names the meter with the smallest share left, with the least amount left on the path. A limit that only
 * warns is named only if no other is tight, so that exceeding a plan never hides what will be refused.
 */
export function budgetHint(standings: readonly Standing[]): string | null {
  const tight = standings.filter((standing) => urgencyOf(standing) !== 'none')
  const enforced = tight.filter(({ action }) => isEnforced(action))
  const candidates = tightestPerMeter(enforced.length > 0 ? enforced : tight)
  const [first, ...others] = candidates
  if (first === undefined) return null
  const speaker = others.reduce((least, other) => (shareLeft(other) < shareLeft(least) ? other : least), first)
  return `[budget: ${sentenceOf(speaker)}]`
}

function shareLeft(standing: Standing): number {
  return standing.limit === 0 ? 0 : leftOf(standing) / standing.limit
}

function urgencyOf(standing: Standing): Urgency {
  const { meter, limit, settled, action } = standing
  if (!SPEAKING.has(meter)) return 'none'
  if (!isEnforced(action) && settled > limit) return 'over'
  const left = leftOf(standing)
  if (left === 0) return 'last'
  if (METERS[meter].unit === 'count') {
    if (left === 1) return 'now'
    return left <= LAST_COUNTS ? 'soon' : 'none'
  }
  // 95% and 80% used.
  if (left * 20 <= limit) return 'now'
  return left * 5 <= limit ? 'soon' : 'none'
}

function sentenceOf(standing: Standing): string {
  const { meter, settled } = standing
  const urgency = urgencyOf(standing)
  if (urgency === 'over') {
    return `${partOfLimit(meter, showUsed(meter, settled), standing)} used — over the plan, finish soon`
  }
  const left = `${partOfLimit(meter, showLeft(meter, leftOf(standing)), standing)} left`
  if (urgency === 'soon') return `${left} — wrap up soon`
  if (urgency === 'now') return `${left} — finalize now`
  return `${left} — finalize NOW${consequenceOf(standing)}`
}

function consequenceOf({ meter, action }: Standing): string {
  const next = `the next ${CALL_WORDS[meter] ?? 'call'}`
  if (action === 'terminate') return `; ${next} will be refused`
  if (action === 'pause') return `; at ${next} the run will be paused`
  if (action === 'ask') return `; at ${next} the run will be paused until more is approved`
  return ''
}

const CALL_WORDS: Readonly<Partial<Record<Meter, string>>> = { toolCalls: 'tool call', modelCalls: 'model call' }
