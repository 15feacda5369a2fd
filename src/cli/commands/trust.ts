import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { prepareConfig } from '../../config/prepare-config.ts'
import { printable } from '../../core/checks/printable.ts'
import { InvalidOptionError } from '../../core/index.ts'
import { countText } from '../../operate/count-text.ts'
import {
  type Claim,
  claimFile,
  createTrustRecords,
  factOf,
  recordedTrust,
  type TrustRecord,
} from '../../trust/index.ts'
import type { CommandContext } from '../command-context.ts'
import { EXIT } from '../exit-code.ts'
import type { Report } from '../output/report.ts'
import { foundClaims } from '../trust/found-claims.ts'
import { refuseInsideRun } from '../trust/inside-run.ts'
import { withoutPricedModels } from '../trust/priced-models.ts'

export interface TrustFlags {
  readonly show?: boolean
  readonly remove?: boolean
  /** For scripts, which have no terminal to ask at. */
  readonly trust?: boolean
}

/** A folder with what its files ask for. */
interface AskingFolder {
  readonly folder: string
  readonly record: TrustRecord | null
  readonly claims: readonly Claim[]
  /** The claims that are not trusted yet. */
  readonly asked: readonly Claim[]
}

/** `stint trust [FOLDER]`: shows what the files of a folder ask for, asks, and remembers the answer. */
export async function trustFolder(
  context: CommandContext,
  written: string | undefined,
  flags: TrustFlags,
): Promise<Report> {
  const { platform } = context
  const workingFolder = resolve(platform.workingFolder, written ?? '.')
  const config = (await prepareConfig({ ...platform, workingFolder }, {}))()
  const { homeFolder } = config
  const records = createTrustRecords(homeFolder)
  if (flags.remove === true) return forget(context, workingFolder, homeFolder)
  if (statSync(workingFolder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new InvalidOptionError('FOLDER', written, 'a folder that exists')
  const claims = await foundClaims(platform, workingFolder)
  const shown = withoutPricedModels(claims, config, platform)
  const trust = recordedTrust(records)
  const folders = [...new Set(claims.map(({ folder }) => folder))].sort().map((folder): AskingFolder => {
    const own = shown.filter((claim) => claim.folder === folder)
    const asked = own.filter((claim) => !trust.accepts(claim))
    return { folder, record: records.read(folder), claims: own, asked }
  })
  const asking = folders.filter(({ claims: own }) => own.length > 0)
  const json = { folders: asking.map(folderJson) }
  if (flags.show === true) return { json, text: showText(asking) }
  await refuseInsideRun(platform, 'stint trust')
  if (asking.every(({ asked }) => asked.length === 0) && flags.trust !== true) {
    for (const { folder, record } of folders) if (record !== null) remember(context, records, folder, claims)
    return { json: { ...json, trusted: true }, text: asking.length === 0 ? NOTHING : 'All of it is already trusted.' }
  }
  if (flags.trust !== true && !(await ask(context, asking))) {
    return { json: { ...json, trusted: false }, text: 'Nothing was trusted.', exitCode: EXIT.notWell }
  }
  for (const { folder } of folders) remember(context, records, folder, claims)
  const trusted = {
    folders: json.folders.map((each) => ({ ...each, claims: each.claims.map(asTrusted) })),
    trusted: true,
  }
  return {
    json: trusted,
    text: folders.length === 0 ? NOTHING : `Trusted ${folders.map(({ folder }) => printable(folder)).join(', ')}.`,
  }
}

const NOTHING = 'Nothing here asks to be trusted.'

/** Trust covers exactly what is there now: something that was removed asks again when it comes back. */
function remember(
  { platform, by }: CommandContext,
  records: ReturnType<typeof createTrustRecords>,
  folder: string,
  claims: readonly Claim[],
): void {
  const facts = claims.filter((claim) => claim.folder === folder).map(factOf)
  records.write({ folder, by, trustedAtMs: platform.nowMs(), facts })
}

async function ask({ platform }: CommandContext, asking: readonly AskingFolder[]): Promise<boolean> {
  const { input, error } = platform.terminals
  if (!input || !error) {
    const form = 'given at a terminal. In a script: stint trust --trust, or --trust with the command itself'
    throw new InvalidOptionError('The answer', undefined, form)
  }
  const folders = asking.filter(({ asked }) => asked.length > 0)
  const lines = folders.flatMap(({ folder, asked, record }) => [
    `${printable(folder)} ${record === null ? 'asks for this' : 'was trusted before, and now asks for more'}:`,
    ...asked.map((claim) => `  ${claimText(claim)}`),
  ])
  platform.writeError(`${lines.join('\n')}\n`)
  return platform.confirm('Trust it with that? [y/N] ')
}

function showText(folders: readonly AskingFolder[]): string {
  if (folders.length === 0) return NOTHING
  const parts = folders.map(({ folder, claims, asked }) => {
    const lines = claims.map((claim) => `  ${asked.includes(claim) ? 'asked  ' : 'trusted'}  ${claimText(claim)}`)
    return [printable(folder), ...lines].join('\n')
  })
  const open = folders.flatMap(({ asked }) => asked).length
  const verdict =
    open === 0 ? 'All of it is trusted.' : `${countText(open, 'setting')} ignored. To allow it: stint trust`
  return [...parts, verdict].join('\n\n')
}

function claimText({ place, allows }: Claim): string {
  return printable(`${place}: ${allows}`)
}

function folderJson({ folder, record, claims, asked }: AskingFolder) {
  return {
    folder,
    trustedAtMs: record?.trustedAtMs ?? null,
    by: record?.by ?? null,
    claims: claims.map((claim) => {
      const { name, path, place, allows } = claim
      return { file: name, setting: path.join('.'), place, allows, isTrusted: !asked.includes(claim) }
    }),
  }
}

function asTrusted<Claimed extends { readonly isTrusted: boolean }>(claim: Claimed): Claimed {
  return { ...claim, isTrusted: true }
}

/** `stint trust --remove`: works even if the trusted files are gone. */
async function forget({ platform }: CommandContext, workingFolder: string, homeFolder: string): Promise<Report> {
  const records = createTrustRecords(homeFolder)
  const here = claimFile(resolve(workingFolder, 'any')).folder
  const folders = new Set([here, ...(await foundClaims(platform, workingFolder)).map(({ folder }) => folder)])
  const removed = [...folders].filter((folder) => records.remove(folder))
  const text =
    removed.length === 0 ? 'Nothing here was trusted.' : `No longer trusted: ${removed.map(printable).join(', ')}.`
  return { json: { removed }, text }
}
