import type { Config } from '../../config/config.ts'
import { printable } from '../../core/checks/printable.ts'
import { describeSource } from '../../core/index.ts'
import { type LayerInput, type Notice, resolveLimits } from '../../policy/index.ts'
import type { CommandContext } from '../command-context.ts'

/** Something in this folder's files that is ignored. */
export interface LeftOut {
  /** The setting with its file and line. */
  readonly place: string
  /** What it would do, or what applies instead. */
  readonly reason: string
}

/** What is ignored in this folder's config, except limits; for all settings, or for some. */
export function leftOutOfConfig(context: CommandContext, settings?: readonly string[]): readonly LeftOut[] {
  const { leftOut } = context.config()
  const meant = leftOut.filter(({ path }) => settings === undefined || settings.includes(path[0] ?? ''))
  return meant.map(({ place, allows }) => ({ place, reason: `It ${allows}.` }))
}

/** The limits in these layers that are ignored because their file is not trusted. */
export function leftOutOfLimits(layers: readonly LayerInput[]): readonly LeftOut[] {
  return leftOutOfNotices(resolveLimits(layers).notices)
}

export function leftOutOfNotices(notices: readonly Notice[]): readonly LeftOut[] {
  const untrusted = notices.filter(({ kind }) => kind === 'not-trusted')
  return untrusted.map(({ source, message }) => ({ place: describeSource(source), reason: message }))
}

const MOST_NAMED = 3

/** All of it on one line, with what to do; `null` if nothing is ignored. */
export function leftOutLine(leftOut: readonly LeftOut[]): string | null {
  const places = [...new Set(leftOut.map(({ place }) => place))]
  if (places.length === 0) return null
  const named = places.slice(0, MOST_NAMED).join(', ')
  const more = places.length > MOST_NAMED ? `, and ${places.length - MOST_NAMED} more` : ''
  return printable(`This folder is not trusted, so this is ignored: ${named}${more}. To see and allow it: stint trust`)
}

/** One item per line, with what to do; empty if nothing is ignored. */
export function leftOutLines(leftOut: readonly LeftOut[]): readonly string[] {
  if (leftOut.length === 0) return []
  const lines = leftOut.map(({ place, reason }) =>
    printable(`  ${reason.includes(place) ? '' : `${place}: `}${reason}`),
  )
  return ['', 'Ignored, because this folder is not trusted:', ...lines, 'To see and allow it: stint trust']
}

// Shown once per command, however many parts read the config.
const shown = new WeakSet<Config>()

/** Prints on one line of stderr what is ignored in this folder, if anything. */
export function sayLeftOut(context: CommandContext, leftOut: readonly LeftOut[]): void {
  const config = context.config()
  const line = shown.has(config) ? null : leftOutLine(leftOut)
  shown.add(config)
  if (line !== null) context.platform.writeError(`stint: ${line}\n`)
}
