import { isPlainObject } from '../../core/checks/is-plain-object.ts'
import { showValue } from '../../core/errors.ts'
import { describeSource } from '../../core/limits/limit-source.ts'
import type { Meter } from '../../core/meter.ts'
import { InvalidLimitError } from '../limits/invalid-limit-error.ts'
import { type ParseOptions, placeAt, writtenInCall } from '../limits/written-at.ts'
import { parseLimits } from './parse-limits.ts'
import type { ParsedLimits } from './parsed-limits.ts'

/** `{ agents: 8, cost: 2 }`: how large a plan may be before a person is asked. */
export interface AskAbove {
  readonly agents?: number | string | null
  readonly cost?: number | string | null
}

export const ASK_ABOVE_NAMES = ['agents', 'cost'] as const

const ASKED_METERS: readonly Meter[] = ['spawns', 'cost']
const FORM = 'Write { agents: 8, cost: 2 }, or one of them.'

/**
 * Reads how large a plan may be before a person is asked: `{ agents: 8, cost: 2 }`, or a list of `KEY=VALUE`. It is
 * written and layered like limits, but without periods and actions. Throws `InvalidLimitError`.
 */
export function parseAskAbove(input: unknown, options: ParseOptions = {}): ParsedLimits {
  const at = writtenInCall({ field: 'askAbove', ...options }, 'parseAskAbove')
  if (!Array.isArray(input)) refuseForm(input, at)
  const limits = parseLimits(input, at)
  const settings = [limits.onLimit, limits.nearing, limits.timeZone].filter((each) => each !== null)
  const others = [...limits.entries.filter((entry) => !isAsked(entry)), ...settings]
  if (others.length === 0) return limits
  throw new InvalidLimitError(
    others.map(({ source }) => {
      return {
        place: describeSource(source),
        value: source.written,
        message: `Only a number of agents and a cost can be asked about. ${FORM}`,
      }
    }),
  )
}

function isAsked(entry: ParsedLimits['entries'][number]): boolean {
  const isPlain = entry.kind === 'removal' || (entry.per === null && entry.action === null && entry.nearing === null)
  return isPlain && ASKED_METERS.includes(entry.meter)
}

function refuseForm(input: unknown, at: ParseOptions): void {
  const names: readonly string[] = ASK_ABOVE_NAMES
  const isForm = (name: string, value: unknown): boolean =>
    names.includes(name) && (typeof value !== 'object' || value === null)
  const wrong = isPlainObject(input) ? Object.entries(input).find(([name, value]) => !isForm(name, value)) : null
  if (wrong === undefined) return
  const [field, value] = wrong ?? [null, input]
  const what = field === null ? showValue(input) : `${field}: ${showValue(value)}`
  const place = placeAt(at, 'askAbove', field === null ? [] : [field])
  throw new InvalidLimitError([{ place, value, message: `${what} is neither a number of agents nor a cost. ${FORM}` }])
}
