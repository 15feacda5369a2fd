import { closeSync, constants, fstatSync, openSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { codeOf } from '../../../core/checks/thrown.ts'
import { suggestName } from '../../../core/index.ts'
import { ToolFailure } from '../tool-failure.ts'
import type { Place } from './fence.ts'

/** A file that is open for reading. The caller closes it. */
export interface OpenFile {
  readonly descriptor: number
  readonly stats: Stats
}

// Never follows a link, and never blocks on a FIFO.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)

/** Opens a regular file for reading: not a folder, FIFO, device or socket. Throws `ToolFailure`. */
export function openRegularFile(place: Place): OpenFile {
  const descriptor = openOr(place)
  const stats = fstatSync(descriptor)
  const problem = stats.isFile() ? movedMeanwhile(place, stats) : `${place.shown} is ${kindOf(stats)}, not a file.`
  if (problem === null) return { descriptor, stats }
  closeSync(descriptor)
  throw new ToolFailure(problem)
}

/** What kind of thing it is, with an article. */
export function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder'
  if (stats.isFIFO()) return 'a FIFO'
  if (stats.isSocket()) return 'a socket'
  return stats.isFile() ? 'a file' : 'a device'
}

/** A "not found" error, with similar names in the folder. */
export function notFound(place: Place): ToolFailure {
  const folder = dirname(place.path)
  const names = namesIn(folder)
  if (names === null) return new ToolFailure(`There is no ${place.shown}, nor its folder. Look with glob.`)
  const name = basename(place.path)
  const similar = names.filter((each) => each.toLowerCase().includes(name.toLowerCase())).slice(0, MOST_SIMILAR)
  const near = suggestName(name, names.slice(0, MOST_COMPARED))
  const all = [...new Set(near === null ? similar : [near, ...similar])]
  const advice = all.length === 0 ? 'Look with glob.' : `Did you mean ${all.join(' or ')}?`
  return new ToolFailure(`There is no ${place.shown}. ${advice}`)
}

const MOST_SIMILAR = 3
const MOST_COMPARED = 5_000

function openOr(place: Place): number {
  try {
    return openSync(place.path, FLAGS)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT') throw notFound(place)
    if (code === 'ELOOP') throw new ToolFailure(changed(place), error)
    // A socket, or a missing device.
    if (code === 'ENXIO') throw new ToolFailure(`${place.shown} is not a readable file.`, error)
    throw new ToolFailure(`${place.shown} cannot be opened (${code}).`, error)
  }
}

/** Whether the opened file is still the one at the checked path: a parent folder may have been replaced. */
function movedMeanwhile(place: Place, { dev, ino }: Stats): string | null {
  try {
    const now = statSync(place.path)
    const isSame = now.dev === dev && now.ino === ino && realpathSync.native(place.path) === place.path
    return isSame ? null : changed(place)
  } catch {
    return changed(place)
  }
}

function changed({ shown }: Place): string {
  return `${shown} was replaced while it was opened. Try again.`
}

function namesIn(folder: string): readonly string[] | null {
  try {
    return readdirSync(folder)
  } catch {
    return null
  }
}
