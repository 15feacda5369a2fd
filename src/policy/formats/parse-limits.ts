import { isPlainObject } from '../../core/checks/is-plain-object.ts'
import { showValue } from '../../core/errors.ts'
import { flagOf } from '../limits/flag-of.ts'
import { readLimitText } from '../limits/read-limit-text.ts'
import { type FieldPath, type ParseOptions, placeAt, writtenInCall } from '../limits/written-at.ts'
import { assertParseOptions } from './assert-parse-options.ts'
import { createLimitCollector, type LimitCollector } from './limit-collector.ts'
import { inLayer, isParsedLimits, type ParsedLimits } from './parsed-limits.ts'
import { createProblemList } from './problem-list.ts'
import { readLimitsObject } from './read-limits-object.ts'
import { refuse } from './reading-result.ts'

/** How many objects and texts a list of limits may hold. */
export const MOST_PARTS = 64

/**
 * Reads limits as people write them: a native object, or a list of such objects and `KEY=VALUE` texts.
 * Parsed limits are returned unchanged. Throws one `InvalidLimitError` that lists every problem.
 */
export function parseLimits(input: unknown, options: ParseOptions = {}): ParsedLimits {
  assertParseOptions('parseLimits', options)
  if (isParsedLimits(input)) return options.layer === undefined ? input : inLayer(input, options.layer)
  const collector = createLimitCollector(createProblemList())
  readLimits(input, [], writtenInCall(options, 'parseLimits'), collector)
  return collector.finish(options.layer ?? 'call')
}

/** Reads limits into a collector, so that several parts can become one layer. */
export function readLimits(input: unknown, path: FieldPath, options: ParseOptions, collector: LimitCollector): void {
  if (!Array.isArray(input)) {
    readPart(input, path, options, collector)
    return
  }
  if (input.length > MOST_PARTS) {
    const refusal = refuse(`${showValue(input)} is too long. A list of limits holds at most ${MOST_PARTS} parts.`)
    collector.problems.refuse(placeAt(options, 'limits', path), input, refusal)
    return
  }
  for (const [index, part] of input.entries()) {
    if (typeof part === 'string') {
      readLimitText(part, [...path, index], { ...options, flag: flagOf(options.flag, part) }, collector)
    } else if (isParsedLimits(part)) {
      addParsed(inLayer(part, options.layer ?? 'call'), collector)
    } else {
      readPart(part, [...path, index], options, collector)
    }
  }
}

function readPart(part: unknown, path: FieldPath, options: ParseOptions, collector: LimitCollector): void {
  if (isPlainObject(part)) {
    readLimitsObject(part, path, options, collector)
    return
  }
  const forms = 'an object, e.g. { toolCalls: 25, time: "10m" }, or a list, e.g. ["turns=25", "cost=10/day"]'
  const refusal = refuse(`${showValue(part)} is not a set of limits. Write ${forms}.`)
  collector.problems.refuse(placeAt(options, 'limits', path), part, refusal)
}

function addParsed(parsed: ParsedLimits, collector: LimitCollector): void {
  if (parsed.onlyTightens === true) collector.onlyTighten()
  for (const entry of parsed.entries) collector.addEntry(entry)
  if (parsed.onLimit !== null) collector.setOnLimit(parsed.onLimit.action, parsed.onLimit.source)
  if (parsed.nearing !== null) collector.setNearing(parsed.nearing.thresholds, parsed.nearing.source)
  if (parsed.timeZone !== null) collector.setTimeZone(parsed.timeZone.name, parsed.timeZone.source)
}
