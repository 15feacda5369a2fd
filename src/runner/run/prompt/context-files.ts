import { closeSync, lstatSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { InvalidOptionError, isStintError } from '../../../core/index.ts'
import type { Fence, Place } from '../../tools/files/fence.ts'
import { openRegularFile } from '../../tools/files/open-regular-file.ts'

/** The beginning of a file, for the prompt. */
export interface ContextFile {
  readonly shown: string
  readonly text: string
  readonly isCut: boolean
}

export interface ContextFiles {
  readonly files: readonly ContextFile[]
  readonly warnings: readonly string[]
}

const MOST_FILES = 50
const MOST_BYTES = 64 * 1024
const MOST_BYTES_IN_ALL = 256 * 1024

/**
 * Reads files for the prompt. Files outside the working folder are refused. Missing files are skipped with a warning, or
 * refused with `mustExist`.
 */
export function readContextFiles(
  fence: Fence,
  paths: readonly string[],
  place: string,
  { mustExist = false }: { readonly mustExist?: boolean } = {},
): ContextFiles {
  if (paths.length > MOST_FILES) throw new InvalidOptionError(place, paths, `a list of at most ${MOST_FILES} files`)
  const places = paths.map((path) => {
    const found = placeOf(fence, path)
    if (typeof found !== 'string') {
      const isMissing = mustExist && lstatSync(found.path, { throwIfNoEntry: false }) === undefined
      if (isMissing) throw new InvalidOptionError(place, path, 'a file that exists in the working folder')
      return found
    }
    throw new InvalidOptionError(place, path, `a file of the working folder (${found})`)
  })
  return readPlaces(places)
}

/** The same for optional files: those that exist are read, and those outside the folder are skipped. */
export function readFilesIfThere(fence: Fence, paths: readonly string[]): ContextFiles {
  const there = paths.filter((path) => lstatSync(join(fence.root.path, path), { throwIfNoEntry: false }) !== undefined)
  const found = there.map((path) => placeOf(fence, path))
  const { files, warnings } = readPlaces(found.filter((each) => typeof each !== 'string'))
  return { files, warnings: [...found.filter((each) => typeof each === 'string'), ...warnings] }
}

/** Reads each file once, even if several names lead to it. */
function readPlaces(places: readonly Place[]): ContextFiles {
  const files: ContextFile[] = []
  const warnings: string[] = []
  let leftBytes = MOST_BYTES_IN_ALL
  for (const place of new Map(places.map((each) => [each.path, each])).values()) {
    const file = leftBytes === 0 ? 'there is no space left for it' : readStart(place, Math.min(MOST_BYTES, leftBytes))
    if (typeof file === 'string') warnings.push(`${place.shown} is not shown to the agent: ${file}`)
    else {
      files.push(file)
      leftBytes -= Math.min(leftBytes, Buffer.byteLength(file.text))
    }
  }
  return { files, warnings }
}

/** The place of a path, or why it may not be read. */
function placeOf(fence: Fence, path: string): Place | string {
  try {
    return fence.readable(path)
  } catch (error) {
    if (!isStintError(error)) throw error
    return error.message
  }
}

/** The text, or why it cannot be read. */
function readStart(place: Place, mostBytes: number): ContextFile | string {
  try {
    const { descriptor, stats } = openRegularFile(place)
    try {
      const bytes = Buffer.alloc(Math.min(mostBytes, stats.size))
      const length = readSync(descriptor, bytes, 0, bytes.length, 0)
      // Drops a character that is cut off at the end.
      const text = new TextDecoder().decode(bytes.subarray(0, length), { stream: true })
      return { shown: place.shown, text, isCut: stats.size > length }
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (!isStintError(error)) throw error
    return error.message
  }
}
