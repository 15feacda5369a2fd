import { assertKnownOptions, optionNames } from '../../core/checks/assert-known-options.ts'
import { suggestName } from '../../core/checks/suggest-name.ts'
import { showValue } from '../../core/errors.ts'
import { parseLimits } from '../formats/parse-limits.ts'
import type { ParsedLimits } from '../formats/parsed-limits.ts'
import { InvalidLimitError } from '../limits/invalid-limit-error.ts'
import { DEFAULT_ROLE_LIMITS, DEFAULT_SUBAGENT_LIMITS, findPreset, PRESETS, type Preset } from './presets.ts'

/** The layer of the preset with this name. Throws `InvalidLimitError` for an unknown name. */
export function presetLayer(name: string): ParsedLimits {
  const preset = findPreset(name)
  if (preset !== null) return layerOf(preset)
  const names = PRESETS.map((known) => known.name)
  const suggestion = typeof name === 'string' ? suggestName(name, names) : null
  const hint = suggestion === null ? '' : ` Did you mean ${JSON.stringify(suggestion)}?`
  const message = `Unknown preset ${showValue(name)}. The presets are ${names.join(', ')}.${hint}`
  throw new InvalidLimitError([
    { place: 'preset', value: name, message, ...(suggestion === null ? {} : { suggestion }) },
  ])
}

export interface RoleOptions {
  readonly subagent?: boolean
}

const ROLE_OPTIONS = optionNames<RoleOptions>({ subagent: true })

/** The runner's rule: the preset of the agent's name, else the defaults for agents or subagents without a role. */
export function roleLayer(name: string, options: RoleOptions = {}): ParsedLimits {
  assertKnownOptions('roleLayer', options, ROLE_OPTIONS)
  const preset = findPreset(name)
  if (preset !== null) return layerOf(preset)
  return parseLimits(options.subagent === true ? DEFAULT_SUBAGENT_LIMITS : DEFAULT_ROLE_LIMITS, { layer: 'defaults' })
}

function layerOf(preset: Preset): ParsedLimits {
  return parseLimits(preset.limits, { layer: 'preset', preset: preset.name })
}
