import { PERIODS } from '../../core/limits/window.ts'
import { amountFormOf } from '../limits/amount-form.ts'
import { allowsPeriod, type NamedLimit, namedLimitsOf } from '../limits/limit-names.ts'
import { ACTION_WORDS } from '../limits/limit-settings.ts'
import { LONGEST_TEXT } from '../limits/read-limit-text.ts'
import { type JsonSchema, textSchema } from './json-schema.ts'

/** `KEY=VALUE[/PERIOD][:ACTION]` for every native name. */
export function limitTextSchema(): JsonSchema {
  const namesByValue = new Map<string, string[]>()
  for (const limit of namedLimitsOf('native')) {
    const value = valuePattern(limit)
    namesByValue.set(value, [...(namesByValue.get(value) ?? []), limit.name])
  }
  const alternatives = [...namesByValue].map(([value, names]) => `(?:${names.join('|')})=(?:${value})`)
  return {
    description: 'One limit as on the command line: KEY=VALUE[/PERIOD][:ACTION].',
    ...textSchema(alternatives.join('|')),
    maxLength: LONGEST_TEXT,
  }
}

function valuePattern(limit: NamedLimit): string {
  const period = allowsPeriod(limit.meter) ? `(?:/(?:${PERIODS.join('|')}))?` : ''
  return `unlimited|(?:${amountFormOf(limit).commandLineText})${period}(?::(?:${ACTION_WORDS.join('|')}))?`
}
