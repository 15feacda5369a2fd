import { type ParsedLimits, parseLimits } from '../../policy/index.ts'

/** Reads `--limit` flags, and the time zone that their periods are in. Throws with all that is wrong. */
export function limitsFromFlags(limits: readonly string[], timeZone?: string): ParsedLimits {
  const zone = timeZone === undefined ? [] : [{ timeZone }]
  return parseLimits([...zone, ...limits], { layer: 'call', flag: '--limit' })
}
