import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'

/** Whether git ignores a path, by every `.gitignore` from its repository's root down. */
export interface GitIgnores {
  /** `path` is absolute. */
  isIgnored(path: string, isFolder: boolean): boolean
}

interface Rules {
  readonly folder: string
  readonly rules: Ignore
}

const LONGEST_FILE = 1_000_000
const MOST_FOLDERS_ABOVE = 64

/** Reads rules as needed. Those of folders above `base` count too, unless they ignore `base` itself. */
export function createGitIgnores(base: string): GitIgnores {
  const known = new Map<string, readonly Rules[]>()
  const above = rulesAbove(base)
  const isBaseIgnored = above.length > 0 && isIgnoredBy(above, base, true)
  known.set(base, [...(isBaseIgnored ? [] : above), ...rulesOf(base)])
  const rulesFor = (folder: string): readonly Rules[] => {
    const found = known.get(folder)
    if (found !== undefined) return found
    const rules = [...rulesFor(dirname(folder)), ...rulesOf(folder)]
    known.set(folder, rules)
    return rules
  }
  return { isIgnored: (path, isFolder) => isIgnoredBy(rulesFor(dirname(path)), path, isFolder) }
}

/** The deepest file that matches decides. */
function isIgnoredBy(rules: readonly Rules[], path: string, isFolder: boolean): boolean {
  for (const { folder, rules: own } of rules.toReversed()) {
    const way = relative(folder, path).split(sep).join('/')
    const { ignored, unignored } = own.test(isFolder ? `${way}/` : way)
    if (ignored || unignored) return ignored
  }
  return false
}

function rulesOf(folder: string): readonly Rules[] {
  return [join(folder, '.git', 'info', 'exclude'), join(folder, '.gitignore')].flatMap((file) => {
    const text = readOr(file)
    return text === null ? [] : [{ folder, rules: ignore({ allowRelativePaths: false }).add(text) }]
  })
}

/** The rules of the folders above, up to the repository's root; none outside a repository. */
function rulesAbove(base: string): readonly Rules[] {
  const folders: string[] = []
  let folder = base
  for (let step = 0; step < MOST_FOLDERS_ABOVE && !existsSync(join(folder, '.git')); step++) {
    const above = dirname(folder)
    if (above === folder) return []
    folder = above
    folders.unshift(folder)
  }
  return folders.flatMap(rulesOf)
}

function readOr(file: string): string | null {
  try {
    const stats = statSync(file)
    return stats.isFile() && stats.size <= LONGEST_FILE ? readFileSync(file, 'utf8') : null
  } catch {
    return null
  }
}
