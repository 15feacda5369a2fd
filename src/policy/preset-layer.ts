import { assertKnownOptions, optionNames } from '../core/assert-known-options.ts'
import { showValue } from '../core/errors.ts'
import { suggestName } from '../core/suggest-name.ts'
import { InvalidLimitError } from './invalid-limit-error.ts'
import { parseLimits } from './parse-limits.ts'
import type { ParsedLimits } from './parsed-limits.ts'
import { DEFAULT_ROLE_LIMITS, DEFAULT_SUBAGENT_LIMITS, findPreset, PRESETS, type Preset } from './presets.ts'

/** The layer of a preset that somebody named. Throws `InvalidLimitError` for a name that no preset has. */
export function presetLayer(name: string): ParsedLimits {
  const preset = findPreset(name)
  if (preset !== null) return layerOf(preset)
  const names = PRESETS.map((known) => known.name)
  const suggestion = typeof name === 'string' ? suggestName(name, names) : null
  const hint = suggestion === null ? '' : ` Did you mean ${JSON.stringify(suggestion)}?`
  const message = `${showValue(name)} is no preset. The presets are ${names.join(', ')}.${hint}`
  throw new InvalidLimitError([
    { place: 'preset', value: name, message, ...(suggestion === null ? {} : { suggestion }) },
  ])
}

export interface RoleOptions {
  readonly subagent?: boolean
}

const ROLE_OPTIONS = optionNames<RoleOptions>({ subagent: true })

/** The runner's rule: the preset of the agent's name, else the defaults of an agent or subagent without a role. */
export function roleLayer(name: string, options: RoleOptions = {}): ParsedLimits {
  assertKnownOptions('roleLayer', options, ROLE_OPTIONS)
  const preset = findPreset(name)
  if (preset !== null) return layerOf(preset)
  return parseLimits(options.subagent === true ? DEFAULT_SUBAGENT_LIMITS : DEFAULT_ROLE_LIMITS, { layer: 'defaults' })
}

function layerOf(preset: Preset): ParsedLimits {
  return parseLimits(preset.limits, { layer: 'preset', preset: preset.name })
}
