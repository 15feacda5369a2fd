import { lstatSync, mkdirSync, readdirSync, realpathSync, rmSync, type Stats } from 'node:fs'
import nodeModule from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { stintHome } from '../config/stint-home.ts'

/** The user that the cache belongs to. */
export interface CacheUser {
  readonly id: number
  readonly groupId: number
}

// The code that checks the ledger must not come from the ledger's folder.
const WITHOUT_CACHE = 'verify'
// About 25 MB, for a few versions of Stint and Node. Nothing else removes what old versions leave.
const MOST_FILES = 2_000
const WRITABLE_BY_GROUP = 0o020
const WRITABLE_BY_ALL = 0o002
const STICKY = 0o1000

/**
 * Lets Node cache compiled code in `$STINT_HOME/cache`, which saves a tenth of each start. Never throws: if the folder
 * cannot be used or trusted, everything works without it.
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

/** Node's own variables: with them the user decides whether and where there is a cache. */
function isChosenByUser(): boolean {
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = process.env
  return Boolean(NODE_COMPILE_CACHE) || Boolean(NODE_DISABLE_COMPILE_CACHE)
}

/** `null` if the system has no owners and modes. */
function currentUser(): CacheUser | null {
  const { getuid, getgid } = process
  return getuid === undefined || getgid === undefined ? null : { id: getuid(), groupId: getgid() }
}

function homeOr(): string | null {
  try {
    return stintHome({ env: process.env, workingFolder: process.cwd(), homeFolder: homedir() })
  } catch {
    // The working folder was removed: commands that need it report that.
    return null
  }
}

/**
 * The cache folder, created if needed; `null` if the home is missing, or if another user could write here, since cached
 * code is run.
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

/** Whether the parent folders keep other users from replacing this one. */
function isOutOfReach(folder: string, user: CacheUser): boolean {
  for (let at = dirname(folder), below = folder; at !== below; below = at, at = dirname(at)) {
    const { uid, gid, mode } = lstatSync(at)
    if (uid !== user.id && uid !== 0) return false
    const isOthers = (mode & WRITABLE_BY_ALL) !== 0 || ((mode & WRITABLE_BY_GROUP) !== 0 && gid !== user.groupId)
    if (isOthers && (mode & STICKY) === 0) return false
  }
  return true
}

/** Empties a cache that has grown too large: what is still used comes back soon. */
function emptyIfLarge(folder: string): void {
  const parts = readdirSync(folder).map((name) => join(folder, name))
  const files = parts.reduce((sum, part) => sum + readdirSync(part).length, 0)
  if (files <= MOST_FILES) return
  for (const part of parts) rmSync(part, { recursive: true, force: true })
}
