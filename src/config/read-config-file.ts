import { printable } from '../core/checks/printable.ts'
import type { ParsedLimits } from '../policy/index.ts'
import { type Claim, claimFile, type Trust, trustedLimits } from '../trust/index.ts'
import { type ConfigFile, parseConfig } from './parse-config.ts'
import { placeAt } from './problem-at.ts'
import { readDocument } from './read-document.ts'
import { trustedPart } from './trusted-part.ts'

/** The part of a config file that is used. */
export interface BelievedConfig {
  readonly file: ConfigFile
  /** What it sets and is ignored. */
  readonly leftOut: readonly Claim[]
}

/**
 * Reads the part of a config file that it is trusted with; its limits can always tighten. The whole file is checked
 * first: a mistake is refused even in a setting that is ignored. Throws `InvalidConfigError` with everything that is
 * wrong.
 */
export function readConfigFile(
  path: string,
  layer: ConfigFile['layer'],
  homeFolder: string,
  trust: Trust,
): BelievedConfig {
  const document = readDocument(path)
  const whole = parseConfig(document, layer, homeFolder)
  const { used, leftOut } = trustedPart(document, trust)
  const file = leftOut.length === 0 ? whole : parseConfig(used, layer, homeFolder)
  const place = claimFile(document.file)
  const believed = (limits: readonly ParsedLimits[], setting: string): readonly ParsedLimits[] =>
    limits.flatMap((each) => trustedLimits(each, { ...place, path: [setting] }, trust))
  const untrustedModels = [...file.models].flatMap(([name, model]): readonly (readonly [string, string])[] => {
    const where = printable(placeAt(document, ['models', name]))
    const allows = `sets the short name ${name} to the model ${model}`
    const claim = { ...place, path: ['models', name, model], value: true, model, place: where, allows }
    return trust.accepts(claim) ? [] : [[name, where]]
  })
  return {
    file: {
      ...file,
      limits: believed(file.limits, 'limits'),
      ceilings: believed(file.ceilings, 'ceilings'),
      askAbove: believed(file.askAbove, 'askAbove'),
      shared: {
        team: believed(file.shared.team, 'team_budget_usd'),
        user: believed(file.shared.user, 'user_budget_usd'),
      },
      agents: file.agents === null ? null : { ...file.agents, trust },
      untrustedModels: new Map(untrustedModels),
    },
    leftOut,
  }
}
