import { findAgents } from '../../agents/index.ts'
import { prepareConfig } from '../../config/prepare-config.ts'
import { findChains } from '../../runner/groups/chain/find-chains.ts'
import { type Claim, collectingTrust } from '../../trust/index.ts'
import type { Platform } from '../platform.ts'

/** Everything that the files found from a folder ask to be trusted with. */
export async function foundClaims(platform: Platform, workingFolder: string): Promise<readonly Claim[]> {
  const trust = collectingTrust()
  const { agents: overrides } = (await prepareConfig({ ...platform, workingFolder }, {}, { trust }))()
  findAgents({ workingFolder, homeFolder: platform.homeFolder, overrides, trust })
  findChains({ workingFolder, homeFolder: platform.homeFolder, trust })
  return trust.claims
}
