import { showValue } from '../../core/errors.ts'
import type { Action } from '../../core/limits/action.ts'
import type { LimitCollector } from '../formats/limit-collector.ts'
import { type Reading, type Refusal, read, refuse } from '../formats/reading-result.ts'
import { findNamedLimit, type NamedLimit } from './limit-names.ts'
import { readAction, readPeriod } from './limit-settings.ts'
import { readAmountText } from './read-amount.ts'
import { refuseName } from './refuse-name.ts'
import { type FieldPath, placeAt, sourceAt, type WrittenAt } from './written-at.ts'

/** How long a `KEY=VALUE` may be. */
export const LONGEST_TEXT = 200

/** Reads one `KEY=VALUE[/PERIOD][:ACTION]`. */
export function readLimitText(text: unknown, path: FieldPath, at: WrittenAt, collector: LimitCollector): void {
  const parts = partsOf(text)
  const limit = parts === null ? null : findNamedLimit(parts.key)
  const complain = (value: unknown, refusal: Refusal) => {
    collector.problems.refuse(placeAt(at, parts?.key ?? 'limit', path), value, refusal)
  }
  if (parts === null && typeof text === 'string' && findNamedLimit(text) !== null) {
    complain(text, refuse(`The value of ${text} is missing. Write KEY=VALUE[/PERIOD][:ACTION], e.g. ${text}=….`))
  } else if (parts === null) {
    complain(
      text,
      refuse(`${showValue(text)} is not a limit. Write KEY=VALUE[/PERIOD][:ACTION], e.g. cost=10/day:warn.`),
    )
  } else if (limit === null) {
    complain(text, refuseName(parts.key, 'native', 'text'))
  } else if (parts.value === 'unlimited') {
    const more = parts.period ?? parts.action
    if (more === null) {
      collector.addEntry({ kind: 'removal', meter: limit.meter, source: sourceAt(at, limit.name, path) })
    } else {
      complain(more, refuse(`${limit.name}=unlimited removes the limit and takes no period or action.`))
    }
  } else {
    const max = readAmountText(limit, parts.value)
    const per = parts.period === null ? read(null) : readPeriod(parts.period, limit.meter)
    const action = parts.action === null ? read(null) : readActionText(parts.action, limit)
    if (!max.ok) complain(parts.value, max)
    if (!per.ok) complain(parts.period, per)
    if (!action.ok) complain(parts.action, action)
    if (!max.ok || !per.ok || !action.ok) return
    const entry = { kind: 'set', meter: limit.meter, max: max.value, timeZone: null, nearing: null } as const
    collector.addEntry({ ...entry, per: per.value, action: action.value, source: sourceAt(at, limit.name, path) })
  }
}

interface LimitTextParts {
  readonly key: string
  readonly value: string
  readonly period: string | null
  readonly action: string | null
}

function partsOf(text: unknown): LimitTextParts | null {
  if (typeof text !== 'string' || text.length > LONGEST_TEXT) return null
  const match = /^([^=]+)=([^/:]*)(?:\/([^:]*))?(?::(.*))?$/s.exec(text)
  if (match === null) return null
  const [, key = '', value = '', period, action] = match
  return { key, value, period: period ?? null, action: action ?? null }
}

function readActionText(word: string, limit: NamedLimit): Reading<Action> {
  if (!word.includes('/')) return readAction(word)
  return refuse(`Unknown action ${showValue(word)}. The period comes before the action: ${limit.name}=…/day:warn.`)
}
