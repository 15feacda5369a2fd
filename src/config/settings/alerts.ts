import * as z from 'zod/mini'
import {
  ALERT_PERIODS,
  type AlertRule,
  BAD_ENDS,
  COUNTER_METERS,
  DEFAULT_ALERTS,
  METERS,
  MOST_ALERTS,
  NANO_USD_PER_USD,
} from '../../core/index.ts'
import { described, object, record, refused, text } from '../schema-forms.ts'
import { setting } from '../setting.ts'
import { shownValue } from './shown-value.ts'

const FORM =
  '{ meter: toolCalls, share: 0.8 }, { meter: cost, above: 25, per: hour } or { ends: [failed], above: 3, per: day }'
const NAME_PATTERN = '^[\\p{L}\\p{N}](?:[\\p{L}\\p{N} _.:-]{0,98}[\\p{L}\\p{N}])?$'
const MOST_USD = 1_000_000

const METER = refused('the name of a counter', `one of ${COUNTER_METERS.join(', ')}`)
const isMoney = (meter: (typeof COUNTER_METERS)[number]): boolean => METERS[meter].unit === 'nanoUsd'
const SHARE = refused('a share', 'a number above 0 and at most 1, e.g. 0.8')
const PER = z.enum(ALERT_PERIODS, refused('a period', 'hour or day'))
const COUNT_ERROR = refused('an amount', 'a whole number')
const COUNT = z.int(COUNT_ERROR).check(z.minimum(0, COUNT_ERROR))
const USD_ERROR = refused('an amount in dollars', `a number from 0 to ${MOST_USD}`)
const ENDS_ERROR = refused('a list of ends', `some of ${BAD_ENDS.join(', ')}`)

const SHARE_FORM = object(
  {
    meter: described(
      z.enum([...COUNTER_METERS, 'time'], refused('a meter with a share', `one of ${COUNTER_METERS.join(', ')}, time`)),
      'The meter of the limits that the rule is about',
    ),
    share: described(
      z.number(SHARE).check(z.positive(SHARE), z.maximum(1, SHARE)),
      'The share of a limit that is used, above 0 and at most 1',
    ),
  },
  refused,
)
const MONEY_FORM = object(
  {
    meter: z.enum(COUNTER_METERS.filter(isMoney), METER),
    above: described(z.number(USD_ERROR).check(z.minimum(0, USD_ERROR), z.maximum(MOST_USD, USD_ERROR)), 'Dollars'),
    per: PER,
  },
  refused,
)
const COUNT_FORM = object(
  {
    meter: z.enum(
      COUNTER_METERS.filter((meter) => !isMoney(meter)),
      METER,
    ),
    above: COUNT,
    per: PER,
  },
  refused,
)
const ENDS_FORM = object(
  {
    ends: described(
      z.array(z.enum(BAD_ENDS, ENDS_ERROR), ENDS_ERROR).check(z.minLength(1, ENDS_ERROR), z.maxLength(4, ENDS_ERROR)),
      'How agents end that are counted',
    ),
    above: COUNT,
    per: PER,
  },
  refused,
)

/** The user's rules for alerts by name; `false` removes a default one. */
export type AlertSettings = ReadonlyMap<string, AlertRule | false>

export const ALERTS = setting({
  schema: record(
    text(refused('the name of a rule', 'letters, digits, spaces and _ . : -, at most 100'), NAME_PATTERN),
    z.union([z.literal(false), SHARE_FORM, MONEY_FORM, COUNT_FORM, ENDS_FORM], refused('a rule', `${FORM}, or false`)),
    MOST_ALERTS - DEFAULT_ALERTS.length,
    refused(`a set of at most ${MOST_ALERTS - DEFAULT_ALERTS.length} rules`, `e.g. { spend: ${FORM.split(', {')[0]} }`),
  ),
  description: `[Rules for alerts](../how-to/get-alerts.md) by name: \`${FORM.replaceAll('}, {', '}`, `{').replace('} or {', '}` or `{')}\`. They are added to ${DEFAULT_ALERTS.map(({ name }) => `\`${name}\``).join(', ')}; a rule of the same name replaces one of them, and \`false\` removes it`,
  twoFiles: 'by name, the later one',
  isByName: true,
  allows: (value, name) =>
    value === false ? `switches the alert ${name} off` : `raises the alert ${name} at ${shownValue(value)}`,
  none: new Map(),
  read: (written): AlertSettings =>
    new Map(Object.entries(written).map(([name, rule]) => [name, ruleFrom(name, rule)])),
})

type WrittenRule = false | z.infer<typeof SHARE_FORM | typeof MONEY_FORM | typeof COUNT_FORM | typeof ENDS_FORM>

function ruleFrom(name: string, rule: WrittenRule): AlertRule | false {
  if (rule === false) return false
  if ('share' in rule) return { name, ...rule }
  if ('ends' in rule) return { name, ...rule, ends: [...new Set(rule.ends)] }
  return { name, ...rule, above: isMoney(rule.meter) ? Math.round(rule.above * NANO_USD_PER_USD) : rule.above }
}

/** The rules that hold: the default ones, and those of the config. */
export function alertRules(settings: AlertSettings): readonly AlertRule[] {
  const rules = new Map<string, AlertRule | false>(DEFAULT_ALERTS.map((rule) => [rule.name, rule]))
  for (const [name, rule] of settings) rules.set(name, rule)
  return [...rules.values()].filter((rule) => rule !== false)
}
