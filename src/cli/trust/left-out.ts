import type { Config } from '../../config/config.ts'
import { printable } from '../../core/checks/printable.ts'
import { describeSource } from '../../core/index.ts'
import { type LayerInput, type Notice, resolveLimits } from '../../policy/index.ts'
import type { CommandContext } from '../command-context.ts'

/** Something that is written in this folder and is not used. */
export interface LeftOut {
  /** The setting with its file and line. */
  readonly place: string
  /** What it would do, or what holds instead. */
  readonly reason: string
}

/** What this folder's config says and what is not used, but for its limits; of all settings, or of some. */
export function leftOutOfConfig(context: CommandContext, settings?: readonly string[]): readonly LeftOut[] {
  const { leftOut } = context.config()
  const meant = leftOut.filter(({ path }) => settings === undefined || settings.includes(path[0] ?? ''))
  return meant.map(({ place, allows }) => ({ place, reason: `It ${allows}.` }))
}

/** What of the limits in these layers is not used, because the file that they are in is not trusted. */
export function leftOutOfLimits(layers: readonly LayerInput[]): readonly LeftOut[] {
  return leftOutOfNotices(resolveLimits(layers).notices)
}

export function leftOutOfNotices(notices: readonly Notice[]): readonly LeftOut[] {
  const untrusted = notices.filter(({ kind }) => kind === 'not-trusted')
  return untrusted.map(({ source, message }) => ({ place: describeSource(source), reason: message }))
}

const MOST_NAMED = 3

/** All of it on one line, with what to do; `null` where nothing was left out. */
export function leftOutLine(leftOut: readonly LeftOut[]): string | null {
  const places = [...new Set(leftOut.map(({ place }) => place))]
  if (places.length === 0) return null
  const named = places.slice(0, MOST_NAMED).join(', ')
  const more = places.length > MOST_NAMED ? `, and ${places.length - MOST_NAMED} more` : ''
  return printable(`This folder is not trusted, so this is not used: ${named}${more}. To see and allow it: stint trust`)
}

/** All of it, one thing on each line, with what to do; nothing where nothing was left out. */
export function leftOutLines(leftOut: readonly LeftOut[]): readonly string[] {
  if (leftOut.length === 0) return []
  const lines = leftOut.map(({ place, reason }) =>
    printable(`  ${reason.includes(place) ? '' : `${place}: `}${reason}`),
  )
  return ['', 'Not used, because this folder is not trusted:', ...lines, 'To see and allow it: stint trust']
}

// Shown once for each command, however many of its parts look at the config.
const shown = new WeakSet<Config>()

/** Says on stderr, on one line, what of this folder is not used. Nothing where all of it is. */
export function sayLeftOut(context: CommandContext, leftOut: readonly LeftOut[]): void {
  const config = context.config()
  const line = shown.has(config) ? null : leftOutLine(leftOut)
  shown.add(config)
  if (line !== null) context.platform.writeError(`stint: ${line}\n`)
}
