import { assertWrittenAt } from '../formats/assert-parse-options.ts'
import { createLimitCollector } from '../formats/limit-collector.ts'
import type { ParsedLimits } from '../formats/parsed-limits.ts'
import { createProblemList } from '../formats/problem-list.ts'
import { flagOf } from './flag-of.ts'
import { readLimitText } from './read-limit-text.ts'
import type { ParseOptions } from './written-at.ts'

/** Reads one `KEY=VALUE[/PERIOD][:ACTION]`, e.g. `turns=25` or `cost=$10/day:warn`. Throws `InvalidLimitError`. */
export function parseLimit(text: string, at: Omit<ParseOptions, 'allowFalse' | 'format'> = {}): ParsedLimits {
  assertWrittenAt('parseLimit', at)
  const isSomewhere = [at.file, at.variable, at.call].some((place) => place !== undefined)
  const flag = flagOf(at.flag ?? (isSomewhere ? undefined : '--limit'), text)
  const collector = createLimitCollector(createProblemList())
  readLimitText(text, [], { ...at, flag }, collector)
  return collector.finish(at.layer ?? 'call')
}
