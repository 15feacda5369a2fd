import type { Document } from '../../documents/index.ts'
import type { ParsedLimits } from '../../policy/index.ts'
import { type Claim, claimFile, type Trust, trustedLimits } from '../../trust/index.ts'
import { configClaims, withoutClaims } from './config-claims.ts'
import type { ConfigFile } from './config-file.ts'
import { modelPlaces } from './model-places.ts'
import { parseConfig } from './parse-config.ts'

/** What is used of a project's config. */
export interface BelievedConfig {
  readonly file: ConfigFile
  /** What it says and what is not used. */
  readonly leftOut: readonly Claim[]
}

/**
 * Reads a project's config, and of that only what it is believed for: its limits tighten in any case. All of it is
 * checked first: what cannot be read as it is written is refused, used or not.
 */
export function believedConfig(document: Document, homeFolder: string, trust: Trust): BelievedConfig {
  const whole = parseConfig(document, 'project', homeFolder)
  const leftOut = configClaims(document).filter((claim) => !trust.believes(claim))
  const file = leftOut.length === 0 ? whole : parseConfig(withoutClaims(document, leftOut), 'project', homeFolder)
  const place = claimFile(document.file)
  const believed = (limits: readonly ParsedLimits[], setting: string): readonly ParsedLimits[] =>
    limits.flatMap((each) => trustedLimits(each, { ...place, path: [setting] }, trust))
  return {
    file: {
      ...file,
      limits: believed(file.limits, 'limits'),
      ceilings: believed(file.ceilings, 'ceilings'),
      shared: {
        team: believed(file.shared.team, 'team_budget_usd'),
        user: believed(file.shared.user, 'user_budget_usd'),
      },
      agents: file.agents === null ? null : { ...file.agents, trust },
      untrustedModels: modelPlaces(document, file.models, trust),
    },
    leftOut,
  }
}
