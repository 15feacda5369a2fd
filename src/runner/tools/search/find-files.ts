import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { globSync } from 'tinyglobby'
import { createGitIgnores } from './git-ignores.ts'

export interface FilesAsked {
  /** Where to look: a folder, absolute and without symbolic links. */
  readonly base: string
  /** Relative to `base`. */
  readonly pattern: string
  /** Folders that are left out, absolute. */
  readonly hidden: readonly string[]
}

export interface FilesFound {
  /** Relative to `base`, in the order of their names. */
  readonly files: readonly string[]
  /** There was more to look at than is looked at. */
  readonly isCut: boolean
}

// Folders that hold what others wrote; named as the place to look, they are searched like others.
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'node_modules'])
const MOST_ENTRIES = 200_000
const DEEPEST = 64

/** Finds files by a pattern: no links are followed, nothing but files is found, and what git ignores is left out. */
export function findFiles({ base, pattern, hidden }: FilesAsked): FilesFound {
  const ignores = createGitIgnores(base)
  let entries = 0
  const isWanted = (folder: string, entry: Dirent): boolean => {
    if (++entries > MOST_ENTRIES) return false
    if (LEFT_OUT.has(entry.name) || !(entry.isFile() || entry.isDirectory())) return false
    const path = join(folder, entry.name)
    return !hidden.includes(path) && !ignores.isIgnored(path, entry.isDirectory())
  }
  // A pattern may begin with the names of folders: there is looked without having come through the folders above.
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
      // Not ours to look into, or gone meanwhile.
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
  // By their letters, not by a language: the same on every machine.
  return { files: files.toSorted(), isCut: entries > MOST_ENTRIES }
}

function isRealFolder(folder: string): boolean {
  try {
    return lstatSync(folder).isDirectory()
  } catch {
    return false
  }
}
