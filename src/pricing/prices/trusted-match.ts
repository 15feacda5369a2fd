import type { MatchLogic } from '@pydantic/genai-prices'

// What may follow or precede the matched part without making it another model: dates, snapshot and API versions, and
// words for the same weights. A bare `-5` isn't included: `claude-sonnet-5-5` is not `claude-sonnet-5`.
const HARMLESS_SUFFIX =
  /^(?:[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|\d{2}-\d{2}|\d{2}-\d{4}|\d{3,4}|v\d+|latest|default|preview|exp|experimental|thinking|beta|customtools|instruct|it|chat)){0,4}(?::\d+)?$/
const HARMLESS_PREFIX = /^(?:[a-z0-9-]+[./])*$/
const WHOLE_SNAPSHOT = /(?<!\d)(?:\d{3,4}|\d{6}|\d{8})$/

/**
 * Whether a row of the price table is really about `name`. The table matches many rows by prefix, so the next
 * generation of a model would silently get the price of the last; such a match is rejected.
 */
export function isTrustedMatch(match: MatchLogic, name: string): boolean {
  if ('or' in match) return match.or.some((option) => isTrustedMatch(option, name))
  if ('and' in match) return match.and.every((part) => isTrustedMatch(part, name))
  if ('equals' in match) return match.equals.toLowerCase() === name
  if ('regex' in match) return new RegExp(match.regex).test(name)
  if ('starts_with' in match) return isHarmlessAround(name, match.starts_with.toLowerCase(), 0)
  if ('ends_with' in match)
    return isHarmlessAround(name, match.ends_with.toLowerCase(), name.length - match.ends_with.length)
  return isHarmlessAround(name, match.contains.toLowerCase(), name.indexOf(match.contains.toLowerCase()))
}

function isHarmlessAround(name: string, part: string, start: number): boolean {
  if (start < 0 || !name.startsWith(part, start)) return false
  const before = name.slice(0, start)
  const after = name.slice(start + part.replace(/[-@]$/, '').length)
  return HARMLESS_PREFIX.test(before) && (HARMLESS_SUFFIX.test(after) || completesSnapshot(part, after))
}

// Some patterns end inside a date or snapshot number: `claude-sonnet-4-2025`, `gemini-2.0-flash-0`.
function completesSnapshot(part: string, after: string): boolean {
  const digits = /^\d+/.exec(after)?.[0]
  if (digits === undefined) return false
  return WHOLE_SNAPSHOT.test(part + digits) && HARMLESS_SUFFIX.test(after.slice(digits.length))
}
