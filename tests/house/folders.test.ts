import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { repositoryFiles } from './repository.ts'

// More than that is a list to search, so related files get a folder of their own.
const MOST_SIBLINGS = 25

/** Folders that may have more: the maximum, and why. */
const LARGER: Readonly<Record<string, readonly [most: number, reason: string]>> = {
  'src/cli/commands': [28, 'one file per command: what it does with its flags'],
  'src/cli/syntax': [36, 'one file per command: its name, flags and help'],
}

const sizes = sizesOf(repositoryFiles())

function sizesOf(files: readonly string[]): ReadonlyMap<string, number> {
  const counted = new Map<string, number>()
  for (const file of files) {
    if (!/^(src|web\/src)\/.*(?<!\.test|\.fixture)\.tsx?$/.test(file)) continue
    counted.set(dirname(file), (counted.get(dirname(file)) ?? 0) + 1)
  }
  return counted
}

it(`has at most ${MOST_SIBLINGS} sources in a folder, unless a reason is listed`, () => {
  expect(sizes.size).toBeGreaterThan(50)
  const tooLarge = [...sizes].filter(([folder, size]) => size > (LARGER[folder]?.[0] ?? MOST_SIBLINGS))
  expect(tooLarge).toEqual([])
})

it('lists no reason for a folder that is small enough, or gone', () => {
  expect(Object.keys(LARGER).filter((folder) => (sizes.get(folder) ?? 0) <= MOST_SIBLINGS)).toEqual([])
})

it('counts sources, but neither tests nor fixtures', () => {
  const files = ['src/a/b.ts', 'src/a/b.test.ts', 'src/a/b.fixture.ts', 'src/a/c/d.ts', 'tests/e.ts']
  expect([...sizesOf(files)]).toEqual([
    ['src/a', 1],
    ['src/a/c', 1],
  ])
})
