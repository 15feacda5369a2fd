import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { globSync } from 'tinyglobby'
import { createGitIgnores } from './git-ignores.ts'

export interface FilesAsked {
  /** The folder to search, absolute and with links resolved. */
  readonly base: string
  /** Relative to `base`. */
  readonly pattern: string
  /** Folders to skip, absolute. */
  readonly hidden: readonly string[]
}

export interface FilesFound {
  /** Relative to `base`, sorted. */
  readonly files: readonly string[]
  /** There were too many files to look at all of them. */
  readonly isCut: boolean
}

// Skipped, unless one is itself the folder to search.
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'node_modules'])
const MOST_ENTRIES = 200_000
const DEEPEST = 64

/** Finds files by a pattern. Links are not followed, and files that git ignores are skipped. */
export function findFiles({ base, pattern, hidden }: FilesAsked): FilesFound {
  const ignores = createGitIgnores(base)
  let entries = 0
  const isWanted = (folder: string, entry: Dirent): boolean => {
    if (++entries > MOST_ENTRIES) return false
    if (LEFT_OUT.has(entry.name) || !(entry.isFile() || entry.isDirectory())) return false
    const path = join(folder, entry.name)
    return !hidden.includes(path) && !ignores.isIgnored(path, entry.isDirectory())
  }
  // A pattern may begin with folder names, whose parents the search then doesn't visit.
  const entered = new Map<string, boolean>([[base, true]])
  const mayEnter = (folder: string): boolean => {
    const known = entered.get(folder)
    if (known !== undefined) return known
    const may = folder.startsWith(base) && mayEnter(dirname(folder)) && !hidden.includes(folder) && isRealFolder(folder)
    entered.set(folder, may)
    return may
  }
  const read = (given: string): Dirent[] => {
    const folder = resolve(given)
    if (entries > MOST_ENTRIES || !mayEnter(folder)) return []
    try {
      return readdirSync(folder, { withFileTypes: true }).filter((entry) => isWanted(folder, entry))
    } catch {
      // Not readable, or already gone.
      return []
    }
  }
  const files = globSync(pattern, {
    cwd: base,
    dot: true,
    deep: DEEPEST,
    expandDirectories: false,
    followSymbolicLinks: false,
    fs: { readdirSync: ((folder: string) => read(folder)) as unknown as typeof readdirSync },
  })
  // By code unit, not by locale: the same on every machine.
  return { files: files.toSorted(), isCut: entries > MOST_ENTRIES }
}

function isRealFolder(folder: string): boolean {
  try {
    return lstatSync(folder).isDirectory()
  } catch {
    return false
  }
}
