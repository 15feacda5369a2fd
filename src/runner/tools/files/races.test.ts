import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFence } from './fence.ts'
import { openRegularFile } from './open-regular-file.ts'
import { writeFileAtomically } from './write-file-atomically.ts'

/** A working folder with `inside/file.txt`, and one outside with a file of the same name. */
function folders() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'stint-race-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const [work, outside] = [join(base, 'work'), join(base, 'outside')]
  for (const folder of [join(work, 'inside'), outside]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(work, 'inside', 'file.txt'), 'mine')
  writeFileSync(join(outside, 'file.txt'), 'secret')
  const fence = createFence({
    workingFolder: work,
    artifactFolder: join(base, 'x'),
    protectedPaths: [],
    hiddenPaths: [],
  })
  return { work, outside, fence }
}

describe('between the check of a path and its use', () => {
  it('I7: a file that becomes a link is not followed', () => {
    const { work, outside, fence } = folders()
    const place = fence.readable('inside/file.txt')
    rmSync(place.path)
    symlinkSync(join(outside, 'file.txt'), join(work, 'inside', 'file.txt'))
    expect(() => openRegularFile(place)).toThrow('was replaced while it was opened')
    expect(() => writeFileAtomically(place, 'x')).toThrow('not a file')
    expect(readFileSync(join(outside, 'file.txt'), 'utf8')).toBe('secret')
  })

  it('I7: a folder that becomes a link is not followed, and nothing is left behind it', () => {
    const { work, outside, fence } = folders()
    const place = fence.writable('inside/file.txt')
    renameSync(join(work, 'inside'), join(work, 'moved'))
    symlinkSync(outside, join(work, 'inside'))
    expect(() => openRegularFile(place)).toThrow('was replaced while it was opened')
    expect(() => writeFileAtomically(place, 'x')).toThrow('has been moved')
    expect(readdirSync(outside)).toEqual(['file.txt'])
    expect(readFileSync(join(outside, 'file.txt'), 'utf8')).toBe('secret')
  })
})
