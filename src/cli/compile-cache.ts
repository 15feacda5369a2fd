import { lstatSync, mkdirSync, readdirSync, realpathSync, rmSync, type Stats } from 'node:fs'
import nodeModule from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { stintHome } from '../config/stint-home.ts'

/** Whose cache it is. */
export interface CacheUser {
  readonly id: number
  readonly groupId: number
}

// What checks the ledger must not come from the folder that the ledger is in.
const WITHOUT_CACHE = 'verify'
// About 25 MB: some versions of Stint and of Node. Nothing else ever removes what an old one left.
const MOST_FILES = 2_000
const WRITABLE_BY_GROUP = 0o020
const WRITABLE_BY_ALL = 0o002
const STICKY = 0o1000

/**
 * Lets Node keep the code that it compiles in `$STINT_HOME/cache`: a tenth less to do at each start. Never throws: where
 * the folder cannot be used or trusted, everything works the same without it.
 */
export function enableCompileCache(args: readonly string[]): void {
  // Since Node 22.8.
  const { enableCompileCache: enable } = nodeModule as Partial<typeof nodeModule>
  const user = currentUser()
  if (enable === undefined || user === null || isChosenByUser() || args.includes(WITHOUT_CACHE)) return
  const home = homeOr()
  const folder = home === null ? null : cacheFolder(home, user)
  if (folder !== null) enable(folder)
}

/** With these variables of Node itself the user decides whether there is a cache, and where. */
function isChosenByUser(): boolean {
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = process.env
  return Boolean(NODE_COMPILE_CACHE) || Boolean(NODE_DISABLE_COMPILE_CACHE)
}

/** `null` where the system does not tell owners and modes. */
function currentUser(): CacheUser | null {
  const { getuid, getgid } = process
  return getuid === undefined || getgid === undefined ? null : { id: getuid(), groupId: getgid() }
}

function homeOr(): string | null {
  try {
    return stintHome({ env: process.env, workingFolder: process.cwd(), homeFolder: homedir() })
  } catch {
    // The working folder was removed: the command says so where it matters.
    return null
  }
}

/**
 * The folder of the cache, made where there is none yet; `null` if the home is missing, or if another user could
 * write here: what is in the cache is run.
 */
export function cacheFolder(home: string, user: CacheUser): string | null {
  try {
    const folder = join(realpathSync.native(home), 'cache')
    if (!isOnlyOurs(lstatSync(dirname(folder)), user) || !isOutOfReach(dirname(folder), user)) return null
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) mkdirSync(folder, { mode: 0o700 })
    if (!isOnlyOurs(lstatSync(folder), user)) return null
    emptyIfLarge(folder)
    return folder
  } catch {
    return null
  }
}

function isOnlyOurs(stats: Stats, user: CacheUser): boolean {
  const isWritable = (stats.mode & (WRITABLE_BY_GROUP | WRITABLE_BY_ALL)) !== 0
  return stats.isDirectory() && stats.uid === user.id && !isWritable
}

/** Whether the folders above keep other users from putting another folder in the place of this one. */
function isOutOfReach(folder: string, user: CacheUser): boolean {
  for (let at = dirname(folder), below = folder; at !== below; below = at, at = dirname(at)) {
    const { uid, gid, mode } = lstatSync(at)
    if (uid !== user.id && uid !== 0) return false
    const isOthers = (mode & WRITABLE_BY_ALL) !== 0 || ((mode & WRITABLE_BY_GROUP) !== 0 && gid !== user.groupId)
    if (isOthers && (mode & STICKY) === 0) return false
  }
  return true
}

/** Empties a cache that has grown too large: what is still used is soon there again. */
function emptyIfLarge(folder: string): void {
  const parts = readdirSync(folder).map((name) => join(folder, name))
  const files = parts.reduce((sum, part) => sum + readdirSync(part).length, 0)
  if (files <= MOST_FILES) return
  for (const part of parts) rmSync(part, { recursive: true, force: true })
}
