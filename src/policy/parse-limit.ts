import { assertWrittenAt } from './assert-parse-options.ts'
import { flagOf } from './flag-of.ts'
import { createLimitCollector } from './limit-collector.ts'
import type { ParsedLimits } from './parsed-limits.ts'
import { createProblemList } from './problem-list.ts'
import { readLimitText } from './read-limit-text.ts'
import type { WrittenAt } from './written-at.ts'

/** Reads one `KEY=VALUE[/PERIOD][:ACTION]`, e.g. `turns=25` or `cost=$10/day:warn`. Throws `InvalidLimitError`. */
export function parseLimit(text: string, at: WrittenAt = {}): ParsedLimits {
  assertWrittenAt('parseLimit', at)
  const isSomewhere = [at.file, at.variable, at.call].some((place) => place !== undefined)
  const flag = flagOf(at.flag ?? (isSomewhere ? undefined : '--limit'), text)
  const collector = createLimitCollector(createProblemList())
  readLimitText(text, [], { ...at, flag }, collector)
  return collector.finish(at.layer ?? 'call')
}
