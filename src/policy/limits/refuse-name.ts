import { isOneOf } from '../../core/checks/is-one-of.ts'
import { suggestName } from '../../core/checks/suggest-name.ts'
import { showValue } from '../../core/errors.ts'
import { METER_NAMES } from '../../core/meter.ts'
import { type Refusal, refuse, type Writing } from '../formats/reading-result.ts'
import { CLAUDE_CODE_ALIASES, type LimitFormat, namedLimitsOf } from './limit-names.ts'
import { SHARED_BUDGET_NAMES } from './published-ranges.ts'

/** The keys of a limits object that are defaults for all of its limits. */
export const SCOPE_FIELDS = ['onLimit', 'timeout_action', 'nearing', 'timeZone'] as const

/** Why a key is not a limit here, and which one was probably meant. */
export function refuseName(name: string, format: LimitFormat, writing: Writing): Refusal {
  if (Object.hasOwn(CLAUDE_CODE_ALIASES, name)) {
    return refuse(
      `${name} is ambiguous outside a Claude Code file. Write toolCalls for the tool calls or modelCalls for the model's turns.`,
    )
  }
  if (isOneOf(name, SHARED_BUDGET_NAMES)) {
    const isTeam = name === 'team_budget_usd'
    const [budget, flag, period] = isTeam ? ['team:core', '--team core', ''] : ['user:ann', '--user ann', '/day']
    const whose = isTeam ? "your team's runs together" : 'all your runs of a day together'
    return refuse(
      `${name} limits ${whose}, not this run alone. Write it inside execution_limits, ` +
        `or set the budget once (stint budget set ${budget} --limit cost=100${period}) and name it with each run: ${flag}.`,
    )
  }
  if (writing === 'text' && isOneOf(name, SCOPE_FIELDS)) {
    return refuse(`${name} is not a limit. Write the action after a limit, e.g. turns=25:warn.`)
  }
  const names = namedLimitsOf(format).map((limit) => limit.name)
  const candidates = format === 'native' ? [...names, ...(writing === 'object' ? SCOPE_FIELDS : [])] : names
  const suggestion = suggestName(name, candidates)
  if (suggestion !== null) return refuse(`Unknown limit ${showValue(name)}.`, suggestion)
  const known = format === 'native' ? METER_NAMES : candidates
  return refuse(`Unknown limit ${showValue(name)}. The limits are ${known.join(', ')}.`)
}
