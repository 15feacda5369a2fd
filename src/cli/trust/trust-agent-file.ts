import { createTrustRecords, factOf, isOfFile } from '../../trust/index.ts'
import type { CommandContext } from '../command-context.ts'
import { foundClaims } from './found-claims.ts'
import { isInsideRun } from './inside-run.ts'

/** Trusts one agent file of the folder as it is now. Inside a run it does not, and says so. */
export async function trustAgentFile(context: CommandContext, file: string): Promise<readonly string[]> {
  const { platform, by } = context
  const claims = (await foundClaims(platform, platform.workingFolder)).filter((claim) => isOfFile(claim, file))
  if (claims.length === 0) return []
  if (await isInsideRun(platform)) {
    return ['It was created inside a run, so it is not trusted. To allow it, run outside the run: stint trust']
  }
  const records = createTrustRecords(context.config().homeFolder)
  for (const folder of new Set(claims.map((claim) => claim.folder))) {
    const own = claims.filter((claim) => claim.folder === folder)
    const others = records.read(folder)?.facts.filter(({ name }) => name !== own[0]!.name) ?? []
    records.write({ folder, by, trustedAtMs: platform.nowMs(), facts: [...others, ...own.map(factOf)] })
  }
  return []
}
