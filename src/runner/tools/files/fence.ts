import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { codeOf } from '../../../core/checks/thrown.ts'
import { showValue } from '../../../core/index.ts'
import { ToolFailure } from '../tool-failure.ts'
import { foldName } from './fold-name.ts'
import { protectedNameIn } from './protected-names.ts'

/** A path that a tool may use, with links resolved as far as it exists. */
export interface Place {
  readonly path: string
  /** As shown to the model: relative to the working folder if inside it. */
  readonly shown: string
}

/** Confines the files of a run to its working folder. */
export interface Fence {
  /** The working folder itself. */
  readonly root: Place
  /** Checks a path for reading. Throws `ToolFailure`. */
  readable(path: string): Place
  /** Checks a path for writing. Throws `ToolFailure`. */
  writable(path: string): Place
  /** Paths that must not be read, with links resolved. */
  readonly hiddenPaths: readonly string[]
}

export interface FenceOptions {
  readonly workingFolder: string
  /** Read, but never written. */
  readonly artifactFolder: string
  /** Read and written, wherever it is. */
  readonly sharedFolder?: string
  /** Never written, in addition to protected names. */
  readonly protectedPaths: readonly string[]
  /** Neither read nor written. */
  readonly hiddenPaths: readonly string[]
}

// The limits of file systems, in bytes; beyond them each has its own error.
const LONGEST_NAME = 255
const LONGEST_PATH = 4096

/** Confines paths to the working folder, with links resolved. */
export function createFence(options: FenceOptions): Fence {
  const root = realOrSelf(options.workingFolder)
  const protectedPaths = options.protectedPaths.map(realOrSelf)
  const hiddenPaths = options.hiddenPaths.map(realOrSelf)
  const shared = options.sharedFolder === undefined ? null : realOrSelf(options.sharedFolder)
  const isShared = (path: string): boolean => shared !== null && isWithin(shared, path)
  const isArtifact = (path: string): boolean => isWithin(realOrSelf(options.artifactFolder), path)
  const isHidden = (path: string): boolean =>
    hiddenPaths.some((hidden) => isWithinInAnySpelling(hidden, path)) && !isArtifact(path) && !isShared(path)
  const shown = (path: string): string => (isWithin(root, path) ? relative(root, path) || '.' : path)
  const find = (text: string): Place => {
    const path = realPathOf(checked(text, root))
    if (isHidden(path)) throw new ToolFailure(`${showValue(text)} belongs to Stint and is not for agents.`)
    return { path, shown: shown(path) }
  }
  const outside = (text: string): ToolFailure =>
    new ToolFailure(`${showValue(text)} is outside the working folder (${root}). Use a path inside it.`)
  return {
    root: { path: root, shown: '.' },
    hiddenPaths,
    readable(text) {
      const place = find(text)
      if (!isWithin(root, place.path) && !isArtifact(place.path) && !isShared(place.path)) throw outside(text)
      return place
    },
    writable(text) {
      const place = find(text)
      if (isShared(place.path)) return place
      if (!isWithin(root, place.path)) throw outside(text)
      const names = relative(root, place.path).split(sep)
      const name =
        protectedNameIn(names) ?? protectedPaths.find((each) => isWithinInAnySpelling(each, place.path)) ?? null
      if (name === null && !isArtifact(place.path)) return place
      throw new ToolFailure(`${place.shown} may be read but not written by an agent (${name ?? 'output of tools'}).`)
    },
  }
}

/** Whether `path` is `folder` or below it. */
function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** The same for file systems on which several spellings are one name. */
function isWithinInAnySpelling(folder: string, path: string): boolean {
  const names = path.split(sep).map(foldName)
  return folder.split(sep).every((name, index) => foldName(name) === names[index])
}

/** The absolute path of a text, without looking at the file system. */
function checked(text: string, root: string): string {
  if (text.trim() === '') throw new ToolFailure('The path is empty. Give one relative to the working folder.')
  if (text.includes('\0')) throw new ToolFailure('The path has a NUL character in it. Leave it out.')
  const path = resolve(root, text)
  const longest = path.split(sep).find((name) => Buffer.byteLength(name) > LONGEST_NAME)
  if (longest !== undefined || Buffer.byteLength(path) > LONGEST_PATH) {
    throw new ToolFailure(`The path ${showValue(text)} is too long: a name has at most ${LONGEST_NAME} bytes.`)
  }
  return path
}

/** Resolves the links in the part of a path that exists, and keeps the rest as written. */
function realPathOf(path: string): string {
  const rest: string[] = []
  for (let existing = path; ; existing = dirname(existing)) {
    const real = realOr(existing, path)
    if (real !== null) return join(real, ...rest)
    if (isThere(existing))
      throw new ToolFailure(`${existing} is a symbolic link to nothing. Remove it, or use another path.`)
    rest.unshift(basename(existing))
  }
}

function realOr(path: string, asked: string): string | null {
  try {
    return realpathSync.native(path)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT') return null
    if (code === 'ENOTDIR') throw new ToolFailure(`A part of ${showValue(asked)} is a file, not a folder.`, error)
    throw new ToolFailure(`${showValue(asked)} cannot be read (${code}). Use another path.`, error)
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

function realOrSelf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return resolve(path)
  }
}
