import { optionNames, UnknownOptionError } from '../checks/assert-known-options.ts'
import { InvalidOptionError } from '../checks/invalid-option-error.ts'
import { isOneOf } from '../checks/is-one-of.ts'
import { isPlainObject } from '../checks/is-plain-object.ts'
import { type CounterMeter, isCounterMeter } from '../meter.ts'
import type { EndStatus } from '../status.ts'

/** When an alert is raised. */
export type AlertRule =
  /** A scope has used this share of one of its limits: once for each window of the limit, and again after a raise. */
  | {
      readonly name: string
      readonly meter: CounterMeter | 'time'
      /** Above 0, at most 1. */
      readonly share: number
    }
  /** A tree has used more than this in an hour or a day. */
  | {
      readonly name: string
      readonly meter: CounterMeter
      /** In the meter's unit. */
      readonly above: number
      readonly per: 'hour' | 'day'
    }
  /** In the whole ledger, more agents than this have ended badly in an hour or a day. */
  | {
      readonly name: string
      readonly ends: readonly ('limit-reached' | 'timed-out' | 'failed' | 'stopped')[]
      readonly above: number
      readonly per: 'hour' | 'day'
    }

export type ShareRule = Extract<AlertRule, { readonly share: number }>
export type RateRule = Extract<AlertRule, { readonly meter: string; readonly above: number }>
export type EndsRule = Extract<AlertRule, { readonly ends: unknown }>
export type AlertPeriod = (typeof ALERT_PERIODS)[number]
export type BadEnd = Exclude<EndStatus, 'completed' | 'detached'>

export const ALERT_PERIODS = ['hour', 'day'] as const
export const BAD_ENDS = ['limit-reached', 'timed-out', 'failed', 'stopped'] as const satisfies readonly BadEnd[]

/** The default rules. */
export const DEFAULT_ALERTS: readonly AlertRule[] = [
  { name: 'tool-calls-80', meter: 'toolCalls', share: 0.8 },
  { name: 'time-80', meter: 'time', share: 0.8 },
  { name: 'cost-per-hour', meter: 'cost', above: 10_000_000_000, per: 'hour' },
  { name: 'terminations-per-hour', ends: ['limit-reached', 'timed-out'], above: 5, per: 'hour' },
]

/** Every charge and every end checks all of them, so their number is bounded. */
export const MOST_ALERTS = 100

const NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N} _.:-]{0,98}[\p{L}\p{N}])?$/u
const FIELDS = optionNames<ShareRule & RateRule & EndsRule>({
  name: true,
  meter: true,
  share: true,
  above: true,
  per: true,
  ends: true,
})

/** Whether a rule may have this name. It is shown in messages and is a label of metrics. */
export function isAlertName(name: unknown): name is string {
  return typeof name === 'string' && NAME.test(name)
}

/** Throws unless every rule is valid. */
export function assertAlertRules(place: string, rules: unknown): asserts rules is readonly AlertRule[] {
  if (!Array.isArray(rules)) throw new InvalidOptionError(place, rules, 'a list of rules')
  if (rules.length > MOST_ALERTS) {
    throw new InvalidOptionError(`${place}.length`, rules.length, `at most ${MOST_ALERTS}`)
  }
  const names = new Set<string>()
  for (const [index, rule] of rules.entries()) {
    assertRule(`${place}[${index}]`, rule)
    if (names.has(rule.name)) throw new InvalidOptionError(`${place}[${index}].name`, rule.name, 'a unique name')
    names.add(rule.name)
  }
}

function assertRule(place: string, rule: unknown): asserts rule is AlertRule {
  if (!isPlainObject(rule)) throw new InvalidOptionError(place, rule, VALID_RULE)
  for (const field of Object.keys(rule)) {
    if (!FIELDS.has(field)) throw new UnknownOptionError(place, field, [...FIELDS])
  }
  const { name, meter, share, above, per, ends } = rule
  if (!isAlertName(name)) {
    throw new InvalidOptionError(`${place}.name`, name, 'letters, digits, spaces and _ . : -, at most 100')
  }
  if (share !== undefined) {
    const isWatched = meter === 'time' || (typeof meter === 'string' && isCounterMeter(meter))
    if (!isWatched) throw new InvalidOptionError(`${place}.meter`, meter, `a counter or time, e.g. 'toolCalls'`)
    if (!(typeof share === 'number' && share > 0 && share <= 1)) {
      throw new InvalidOptionError(`${place}.share`, share, 'above 0 and at most 1, e.g. 0.8')
    }
    refuseFields(place, { above, per, ends })
    return
  }
  if (!(Number.isSafeInteger(above) && Number(above) >= 0)) throw new InvalidOptionError(place, rule, VALID_RULE)
  if (!isOneOf(per, ALERT_PERIODS)) throw new InvalidOptionError(`${place}.per`, per, `'hour' or 'day'`)
  if (ends === undefined) {
    if (typeof meter === 'string' && isCounterMeter(meter)) return
    throw new InvalidOptionError(`${place}.meter`, meter, `a counter, e.g. 'cost'`)
  }
  refuseFields(place, { meter })
  const isList = Array.isArray(ends) && ends.length > 0 && new Set(ends).size === ends.length
  if (!isList || !ends.every((end) => isOneOf(end, BAD_ENDS))) {
    throw new InvalidOptionError(`${place}.ends`, ends, `a list of ${BAD_ENDS.join(', ')}`)
  }
}

const VALID_RULE = '{ name, meter, share }, { name, meter, above, per } or { name, ends, above, per }'

/** Refuses a field that would be ignored. */
function refuseFields(place: string, fields: Readonly<Record<string, unknown>>): void {
  for (const [field, value] of Object.entries(fields)) {
    if (value !== undefined) throw new InvalidOptionError(`${place}.${field}`, value, `left out here: ${VALID_RULE}`)
  }
}
