import { assertLimits, isPlainObject, type Limit, type LimitSource, StintError, showValue } from '../../core/index.ts'
import { tagParsedLimits } from '../../policy/formats/parsed-limits.ts'
import type { ParsedLimits, SetEntry } from '../../policy/index.ts'

const MOST_LIMITS = 64

/**
 * Checks the limits of a nested run, which its own process has resolved from files and flags, and splits them into two
 * layers: ceilings and the rest.
 */
export function limitsFromJson(value: unknown): readonly ParsedLimits[] {
  if (!Array.isArray(value) || value.length > MOST_LIMITS || !value.every(isLimitShaped)) {
    throw new StintError('invalid_limit', `The limits of a nested run are ${showValue(value)}, not a list of limits.`)
  }
  const limits = value as readonly Limit[]
  assertLimits(limits, 'a nested run')
  const isCeiling = ({ source }: Limit): boolean => source.layer === 'ceiling'
  return [
    layerOf(
      'call',
      limits.filter((limit) => !isCeiling(limit)),
    ),
    layerOf('ceiling', limits.filter(isCeiling)),
  ]
}

function isLimitShaped(value: unknown): boolean {
  if (!isPlainObject(value) || !Array.isArray(value.nearing) || !isPlainObject(value.source)) return false
  return Object.values(value.source).every((field) => typeof field === 'string' || typeof field === 'number')
}

function layerOf(layer: 'call' | 'ceiling', limits: readonly Limit[]): ParsedLimits {
  const entries = limits.map(({ meter, max, per, timeZone, action, nearing, source }): SetEntry => {
    const written: LimitSource = { ...source, layer, written: String(source.written) }
    return { kind: 'set', meter, max, per, timeZone, action, nearing, source: written }
  })
  return tagParsedLimits({ layer, entries, onLimit: null, nearing: null, timeZone: null })
}
