import { type LayerInput, parseLimit, parseLimits, presetLayer } from '../../policy/index.ts'

/** The flags that say what a run may take. */
export interface LimitFlags {
  readonly limit?: readonly string[]
  readonly timeZone?: string
  readonly timeout?: string
  readonly preset?: string
  readonly onLimit?: string
}

/** The flags as one layer, so that the same meter written twice is found, whichever flags were used. */
export function layersFromFlags({ limit = [], timeZone, timeout, preset, onLimit }: LimitFlags): readonly LayerInput[] {
  const parts = [
    ...(timeZone === undefined ? [] : [parseLimits({ timeZone }, { layer: 'call', flag: '--time-zone' })]),
    ...(onLimit === undefined ? [] : [parseLimits({ onLimit }, { layer: 'call', flag: '--on-limit' })]),
    ...(timeout === undefined ? [] : [parseLimit(`timeout=${timeout}`, { layer: 'call', flag: '--timeout' })]),
  ]
  const written = parseLimits([...limit, ...parts], { layer: 'call', flag: '--limit' })
  return preset === undefined ? [written] : [presetLayer(preset), written]
}
