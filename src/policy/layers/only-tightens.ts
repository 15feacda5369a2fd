import { type ParsedLimits, tagParsedLimits } from '../formats/parsed-limits.ts'

/**
 * The limits of an untrusted file. They can lower limits and set new ones, but not raise, remove or soften any.
 */
export function onlyTightens(limits: ParsedLimits): ParsedLimits {
  return tagParsedLimits({ ...limits, onlyTightens: true })
}
