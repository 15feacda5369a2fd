import { isOneOf } from '../../core/checks/is-one-of.ts'
import { suggestName } from '../../core/checks/suggest-name.ts'
import { showValue } from '../../core/errors.ts'
import { ACTIONS, type Action } from '../../core/limits/action.ts'
import { isTimeZone, PERIODS, type Period } from '../../core/limits/window.ts'
import { METERS, type Meter } from '../../core/meter.ts'
import { type Reading, read, refuse } from '../formats/reading-result.ts'

/** The names of the actions; `request_increase` is the published name of `ask`. */
export const ACTION_WORDS = [...ACTIONS, 'request_increase'] as const

/** The published values of `timeout_action`. */
export const PUBLISHED_ACTION_WORDS = ['terminate', 'pause', 'warn', 'request_increase'] as const

/** The longest `nearing` list. */
export const MOST_THRESHOLDS = 8

/** The shape of a time zone's name. Only the runtime knows whether it exists. */
export const TIME_ZONE_PATTERN = '[A-Za-z][A-Za-z0-9_+-]{0,31}(?:/[A-Za-z0-9_+-]{1,31}){0,2}'

/** Reads an action by its name. */
export function readAction(value: unknown, words: readonly string[] = ACTION_WORDS): Reading<Action> {
  if (typeof value === 'string' && words.includes(value)) {
    return read(value === 'request_increase' ? 'ask' : (value as Action))
  }
  const suggestion = typeof value === 'string' ? suggestName(value, words) : null
  return refuse(
    `Unknown action ${showValue(value)}. Write ${words.slice(0, -1).join(', ')} or ${words.at(-1)}.`,
    suggestion,
  )
}

const WHY_NO_PERIOD = {
  clock: 'a clock belongs to one run and does not start over',
  gauge: 'it counts what is open now, not what was opened in a period',
  level: 'it is compared with the limit, not counted up',
} as const

/** Reads the period of a limit on this meter. */
export function readPeriod(value: unknown, meter: Meter): Reading<Period> {
  const { kind } = METERS[meter]
  if (kind !== 'counter') {
    return refuse(`${meter} takes no period, because ${WHY_NO_PERIOD[kind]}. Leave ${showValue(value)} out.`)
  }
  if (isOneOf(value, PERIODS)) return read(value)
  const suggestion = typeof value === 'string' ? suggestName(value, PERIODS) : null
  return refuse(`Unknown period ${showValue(value)}. Write hour, day, week or month.`, suggestion)
}

/** Reads one threshold or a list of them, sorted and without duplicates. */
export function readNearing(value: unknown): Reading<readonly number[]> {
  const thresholds: readonly unknown[] = Array.isArray(value) ? value : [value]
  const isShort = thresholds.length >= 1 && thresholds.length <= MOST_THRESHOLDS
  if (isShort && thresholds.every(isThreshold))
    return read([...new Set(thresholds)].sort((left, right) => left - right))
  const wrong = isShort ? thresholds.find((threshold) => !isThreshold(threshold)) : value
  return refuse(
    `${showValue(wrong)} is not a threshold. Write a fraction of the limit above 0 and below 1, e.g. 0.8, or a list of 1 to ${MOST_THRESHOLDS} of them.`,
  )
}

function isThreshold(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value < 1
}

/** Reads the IANA name of a time zone, normalized to the runtime's spelling. */
export function readTimeZone(value: unknown): Reading<string> {
  if (typeof value === 'string' && new RegExp(`^(?:${TIME_ZONE_PATTERN})$`).test(value) && isTimeZone(value)) {
    return read(new Intl.DateTimeFormat('en-US', { timeZone: value }).resolvedOptions().timeZone)
  }
  return refuse(`Unknown time zone ${showValue(value)}. Write an IANA name, e.g. "Europe/Berlin" or "UTC".`)
}
