import { type LayerInput, type ParsedLimits, parseLimit, parseLimits, presetLayer } from '../../policy/index.ts'
import { durationFromText } from './duration-from-text.ts'

/** The flags that limit a run. */
export interface LimitFlags {
  readonly limit?: readonly string[]
  readonly timeZone?: string
  readonly timeout?: string
  /** The action of the timeout, unless it has its own. Default: that of every limit. */
  readonly timeoutAction?: 'terminate'
  readonly preset?: string
  readonly onLimit?: string
}

/** The flags as one layer, so that a meter set by two flags is noticed. */
export function layersFromFlags(flags: LimitFlags): readonly LayerInput[] {
  const { limit = [], timeZone, timeout, timeoutAction, preset, onLimit } = flags
  const parts = [
    ...(timeZone === undefined ? [] : [parseLimits({ timeZone }, { layer: 'call', flag: '--time-zone' })]),
    ...(onLimit === undefined ? [] : [parseLimits({ onLimit }, { layer: 'call', flag: '--on-limit' })]),
    ...(timeout === undefined ? [] : [timeoutFrom(timeout, timeoutAction)]),
  ]
  const written = parseLimits([...limit, ...parts], { layer: 'call', flag: '--limit' })
  return preset === undefined ? [written] : [presetLayer(preset), written]
}

/** Named after the flag, so that a refusal names the flag. */
function timeoutFrom(timeout: string, action: LimitFlags['timeoutAction']): ParsedLimits {
  const place = { layer: 'call', flag: `--timeout=${timeout}` } as const
  durationFromText('--timeout', timeout.split(':', 1)[0]!, 'a length of time with its unit, e.g. 90s or 10m')
  const written = parseLimit(`timeout=${timeout}`, place)
  const isPlain = written.entries.every((entry) => entry.kind === 'set' && entry.action === null && entry.per === null)
  return action !== undefined && isPlain ? parseLimits({ timeout: { max: timeout, action } }, place) : written
}
