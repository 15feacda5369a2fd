import { type ParsedLimits, parseLimits } from '../../policy/index.ts'

/**
 * Reads `--limit` flags, and the time zone that their periods are in. Throws with all that is wrong. `command`: what
 * changes these limits later, when the command that was given the flags is over.
 */
export function limitsFromFlags(limits: readonly string[], timeZone?: string, command?: string): ParsedLimits {
  const zone = timeZone === undefined ? [] : [{ timeZone }]
  return parseLimits([...zone, ...limits], { layer: 'call', flag: '--limit', command })
}
