import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { cacheFolder } from './compile-cache.ts'

const USER = { id: process.getuid!(), groupId: process.getgid!() }
const ANOTHER = { id: USER.id + 1, groupId: USER.groupId + 1 }

/** A home as Stint creates it, in a folder that only this user can write to. */
function createHome(): { readonly above: string; readonly home: string; readonly cache: string } {
  const above = realpathSync(mkdtempSync(join(tmpdir(), 'stint-cache-')))
  onTestFinished(() => rmSync(above, { recursive: true, force: true }))
  const home = join(above, 'home')
  mkdirSync(home, { mode: 0o700 })
  return { above, home, cache: join(home, 'cache') }
}

describe('the folder of the compile cache', () => {
  it('is created in the home, for this user only, and reused', () => {
    const { home, cache } = createHome()
    expect(cacheFolder(home, USER)).toBe(cache)
    expect(statSync(cache).mode & 0o777).toBe(0o700)
    expect(cacheFolder(home, USER)).toBe(cache)
  })

  it('is not created without a home, and creates none', () => {
    const { above } = createHome()
    expect(cacheFolder(join(above, 'missing'), USER)).toBeNull()
    expect(existsSync(join(above, 'missing'))).toBe(false)
  })

  it.each(['/proc/x', '/dev/null', '/dev/null/x'])('is not created when the home cannot be a folder: %s', (home) => {
    expect(cacheFolder(home, USER)).toBeNull()
  })

  it('is not used if it belongs to another user', () => {
    const { home, cache } = createHome()
    cacheFolder(home, USER)
    expect(cacheFolder(home, ANOTHER)).toBeNull()
    rmSync(cache, { recursive: true })
    expect(cacheFolder(home, ANOTHER)).toBeNull()
    expect(existsSync(cache)).toBe(false)
  })

  it.each([0o720, 0o702, 0o777])('is not used if others can write to it: %o', (mode) => {
    const { home, cache } = createHome()
    cacheFolder(home, USER)
    chmodSync(cache, mode)
    expect(cacheFolder(home, USER)).toBeNull()
    chmodSync(cache, 0o755)
    expect(cacheFolder(home, USER)).toBe(cache)
  })

  it.each([0o720, 0o702, 0o1777])('is not created if others can write to the home: %o', (mode) => {
    const { home, cache } = createHome()
    chmodSync(home, mode)
    expect(cacheFolder(home, USER)).toBeNull()
    expect(existsSync(cache)).toBe(false)
  })

  it('is not used if others can replace the home', () => {
    const { above, home, cache } = createHome()
    chmodSync(above, 0o777)
    expect(cacheFolder(home, USER)).toBeNull()
    // Like /tmp: others can write, but cannot move files that are not theirs.
    chmodSync(above, 0o1777)
    expect(cacheFolder(home, USER)).toBe(cache)
    // As many systems create folders, with a group for each user.
    chmodSync(above, 0o775)
    expect(cacheFolder(home, USER)).toBe(cache)
    expect(cacheFolder(home, { ...USER, groupId: ANOTHER.groupId })).toBeNull()
  })

  it('is not used if it is a link or a file', () => {
    const { above, home, cache } = createHome()
    mkdirSync(join(above, 'elsewhere'), { mode: 0o700 })
    symlinkSync(join(above, 'elsewhere'), cache)
    expect(cacheFolder(home, USER)).toBeNull()
    rmSync(cache)
    writeFileSync(cache, '')
    expect(cacheFolder(home, USER)).toBeNull()
  })

  it('is created where a link to the home leads', () => {
    const { above, home, cache } = createHome()
    symlinkSync(home, join(above, 'link'))
    expect(cacheFolder(join(above, 'link'), USER)).toBe(cache)
  })

  it('is emptied when old versions have left too much in it', () => {
    const { home, cache } = createHome()
    cacheFolder(home, USER)
    const fill = (part: string, files: number): void => {
      mkdirSync(join(cache, part), { recursive: true })
      for (let file = 0; file < files; file++) writeFileSync(join(cache, part, String(file)), '')
    }
    fill('v22', 1_000)
    fill('v24', 1_000)
    expect(cacheFolder(home, USER)).toBe(cache)
    expect(readdirSync(cache)).toEqual(['v22', 'v24'])
    fill('v26', 1)
    expect(cacheFolder(home, USER)).toBe(cache)
    expect(readdirSync(cache)).toEqual([])
  })
})
