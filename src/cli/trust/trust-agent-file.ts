import { createTrustRecords, factOf, isOfFile } from '../../trust/index.ts'
import type { CommandContext } from '../command-context.ts'
import { foundClaims } from './found-claims.ts'
import { isInsideRun } from './inside-run.ts'

/** Trusts the folder with one file of an agent, as it is now. Inside a run it does not, and says so. */
export async function trustAgentFile(context: CommandContext, file: string): Promise<readonly string[]> {
  const { platform, by } = context
  const claims = (await foundClaims(platform, platform.workingFolder)).filter((claim) => isOfFile(claim, file))
  if (claims.length === 0) return []
  if (await isInsideRun(platform)) {
    return [
      'It was made inside a run, so that it is not trusted. To allow what it asks for, outside of the run: stint trust',
    ]
  }
  const records = createTrustRecords(context.config().homeFolder)
  for (const folder of new Set(claims.map((claim) => claim.folder))) {
    const own = claims.filter((claim) => claim.folder === folder)
    const others = records.read(folder)?.facts.filter(({ name }) => name !== own[0]!.name) ?? []
    records.write({ folder, by, trustedAtMs: platform.nowMs(), facts: [...others, ...own.map(factOf)] })
  }
  return []
}
