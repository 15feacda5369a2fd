import { formatAmount, formatUsd } from '../amounts/format-amount.ts'
import type { EventFields } from '../events/event-fields.ts'
import { METERS, type Meter } from '../meter.ts'
import type { EndsRule, RateRule, ShareRule } from './alert-rule.ts'
import { PERIOD_MS } from './rate.ts'

/** The fields of an alert. */
export type AlertFields = EventFields['alert_raised']

/** The message of an alert about a limit. */
export function shareAlertFields(rule: ShareRule, max: number, used: number): AlertFields {
  const { name, meter, share } = rule
  const percent = Number((share * 100).toFixed(2))
  const message = `${percent}% of ${meter} is used: ${formatAmount(meter, used)} of ${formatAmount(meter, max)}`
  return { rule: name, message, limit_kind: meter, value: used, threshold: Math.ceil(share * max), window_ms: null }
}

/** The message of an alert about a rate. */
export function rateAlertFields({ name, meter, above, per }: RateRule, value: number): AlertFields {
  const amount = METERS[meter].unit === 'nanoUsd' ? formatUsd : (count: number) => `${count} ${wordsOf(meter)}`
  const message = `More than ${amount(above)} in ${SPAN[per]}: ${formatAmount(meter, value)}`
  return { rule: name, message, limit_kind: meter, value, threshold: above, window_ms: PERIOD_MS[per] }
}

/** The message of an alert about agents that ended. */
export function endsAlertFields({ name, ends, above, per }: EndsRule, value: number): AlertFields {
  const message = `More than ${above} agents ended as ${ends.join(' or ')} in ${SPAN[per]}: ${value}`
  return { rule: name, message, limit_kind: null, value, threshold: above, window_ms: PERIOD_MS[per] }
}

const SPAN = { hour: 'an hour', day: 'a day' } as const

function wordsOf(meter: Meter): string {
  return METERS[meter].words
}
