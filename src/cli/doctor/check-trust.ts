import { countText } from '../../operate/count-text.ts'
import { type Finding, fine, notice } from '../../operate/health/finding.ts'
import { createTrustRecords } from '../../trust/index.ts'
import { agentsHere } from '../agents/agents-here.ts'
import type { CommandContext } from '../command-context.ts'
import { foundClaims } from '../trust/found-claims.ts'
import { leftOutOfConfig, leftOutOfLimits, sayLeftOut } from '../trust/left-out.ts'

const MOST_NAMED = 5

/** The settings in this folder that are ignored because it is not trusted. */
export async function checkTrust(context: CommandContext): Promise<readonly Finding[]> {
  sayLeftOut(context, [])
  const { layers, homeFolder } = context.config()
  const config = [...leftOutOfConfig(context), ...leftOutOfLimits(layers)]
  const places = [...new Set([...config, ...agentsHere(context).leftOut].map(({ place }) => place))]
  if (places.length > 0) {
    const more = places.length > MOST_NAMED ? `; and ${places.length - MOST_NAMED} more` : ''
    const detail = `ignored in this folder: ${places.slice(0, MOST_NAMED).join('; ')}${more}`
    return [notice('trust', detail, 'To see and allow it: stint trust')]
  }
  const folders = new Set(
    (await foundClaims(context.platform, context.platform.workingFolder)).map(({ folder }) => folder),
  )
  const records = createTrustRecords(homeFolder)
  return [...folders].flatMap((folder) => {
    const record = records.read(folder)
    return record === null ? [] : [fine('trust', `${folder}, with ${countText(record.facts.length, 'setting')}`)]
  })
}
