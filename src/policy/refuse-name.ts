import { showValue } from '../core/errors.ts'
import { METER_NAMES } from '../core/meter.ts'
import { suggestName } from '../core/suggest-name.ts'
import { CLAUDE_CODE_ALIASES, type LimitFormat, namedLimitsOf } from './limit-names.ts'
import { SHARED_BUDGET_NAMES } from './published-ranges.ts'
import { type Refusal, refuse, type Writing } from './reading.ts'

/** The keys of a limits object that are no limits but defaults for all of them. */
export const SCOPE_FIELDS = ['onLimit', 'timeout_action', 'nearing', 'timeZone'] as const

/** Why a key means no limit here, and which one was probably meant. */
export function refuseName(name: string, format: LimitFormat, writing: Writing): Refusal {
  if (Object.hasOwn(CLAUDE_CODE_ALIASES, name)) {
    return refuse(
      `${name} is ambiguous outside a Claude Code file. Write toolCalls for the tool calls or modelCalls for the model's turns.`,
    )
  }
  if ((SHARED_BUDGET_NAMES as readonly string[]).includes(name)) {
    const isTeam = name === 'team_budget_usd'
    const [budget, flag, period] = isTeam ? ['team:core', '--team core', ''] : ['user:ann', '--user ann', '/day']
    const whose = isTeam ? 'your team, whose runs' : 'you: all your runs of a day'
    return refuse(
      `${name} is not a limit of this run but of ${whose} share it. Write it inside execution_limits, ` +
        `or set the budget once (stint budget set ${budget} --limit cost=100${period}) and name it with each run: ${flag}.`,
    )
  }
  if (writing === 'text' && (SCOPE_FIELDS as readonly string[]).includes(name)) {
    return refuse(`${name} is no limit. Write the action behind a limit, e.g. turns=25:warn.`)
  }
  const names = namedLimitsOf(format).map((limit) => limit.name)
  const candidates = format === 'native' ? [...names, ...(writing === 'object' ? SCOPE_FIELDS : [])] : names
  const suggestion = suggestName(name, candidates)
  if (suggestion !== null) return refuse(`${showValue(name)} is no limit.`, suggestion)
  const known = format === 'native' ? METER_NAMES : candidates
  return refuse(`${showValue(name)} is no limit. The limits are ${known.join(', ')}.`)
}
