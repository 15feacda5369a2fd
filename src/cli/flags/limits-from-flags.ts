import { type ParsedLimits, parseLimits } from '../../policy/index.ts'

/**
 * Reads `--limit` flags, and the time zone of their periods. Throws with every problem. `command`: what changes these
 * limits after the command with the flags has ended.
 */
export function limitsFromFlags(limits: readonly string[], timeZone?: string, command?: string): ParsedLimits {
  const zone = timeZone === undefined ? [] : [{ timeZone }]
  return parseLimits([...zone, ...limits], { layer: 'call', flag: '--limit', command })
}
