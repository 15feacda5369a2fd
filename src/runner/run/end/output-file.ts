import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { InvalidOptionError, isStintError } from '../../../core/index.ts'
import { readSmallFile } from '../../tasks/read-small-file.ts'
import type { Fence, Place } from '../../tools/files/fence.ts'
import { writeFileAtomically } from '../../tools/files/write-file-atomically.ts'

/** The file for a run's answer. */
export interface OutputFile {
  readonly path: string
  /** Its digest when the run began; `null`: it didn't exist. */
  readonly before: string | null
}

/** Checks the file for an answer. Refuses files outside the working folder, and files that agents may not write. */
export function outputFile(fence: Fence, path: string): OutputFile {
  const place = placeOf(fence, path)
  if (!canBeFile(place.path)) throw new InvalidOptionError('output', path, 'a file, in a folder')
  return { path: place.path, before: digestOf(place.path) }
}

/** Writes an answer, unless the agent has changed the file itself: then that is its answer. */
export function writeOutput(fence: Fence, { path, before }: OutputFile, answer: string): void {
  if (digestOf(path) !== before) return
  writeFileAtomically(placeOf(fence, path), `${answer.trimEnd()}\n`)
}

function placeOf(fence: Fence, path: string): Place {
  try {
    return fence.writable(path)
  } catch (error) {
    if (!isStintError(error)) throw error
    throw new InvalidOptionError('output', path, `a file that an agent may write (${error.message})`)
  }
}

/** Whether the path is a file or free. */
function canBeFile(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? true
  } catch {
    return false
  }
}

function digestOf(path: string): string | null {
  const text = readSmallFile(path)
  return text === null ? null : createHash('sha256').update(text).digest('hex')
}
