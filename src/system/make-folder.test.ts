import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { makeFolder } from './make-folder.ts'

const base = mkdtempSync(join(tmpdir(), 'stint-folder-'))
afterEach(() => rmSync(base, { recursive: true, force: true }))

describe('makeFolder', () => {
  it('creates its parents too, for this user only', () => {
    const folder = join(base, 'a/b/c')
    makeFolder(folder)
    makeFolder(folder)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('fails where it is not permitted, and returns', () => {
    makeFolder(base)
    const file = join(base, 'file')
    writeFileSync(file, '')
    expect(() => makeFolder(join(file, 'below'))).toThrow(/ENOTDIR/)
  })

  it('returns on a file system without room for folders, such as /proc on Linux', () => {
    expect(() => makeFolder('/proc/stint/ledger')).toThrow(/ENOENT|EACCES|EPERM|EROFS/)
  })
})
