import { describe, expect, it } from 'vitest'
import { REPOSITORY, readRepositoryFile, repositoryFiles } from './repository.ts'
import { uncleanPlaces } from './unclean-places.ts'

const BINARY_FILE = /\.(png|jpe?g|webp|gif|ico|woff2?)$/

describe('the files of the repository', () => {
  const files = repositoryFiles().filter((path) => !BINARY_FILE.test(path))

  it('are found', () => {
    expect(files).toContain('package.json')
    expect(files).toContain('tests/house/cleanliness.test.ts')
  })

  it('contain no machine path, registry address, skipped test, short wait or note of unfinished work', () => {
    const places = files.flatMap((path) => uncleanPlaces(path, readRepositoryFile(path), REPOSITORY))
    expect(places).toEqual([])
  })
})

describe('a planted', () => {
  // Put together here, so that this file itself stays clean.
  const planted: readonly (readonly [what: string, parts: readonly string[]])[] = [
    ['a path of a machine', ['see /ho', 'me/ann/notes']],
    ['a path of a machine', ['"file": "/Us', 'ers/ann/x.ts"']],
    ['a path of a machine', ['C:\\Us', 'ers\\ann']],
    ['a path of a machine', ['from "/somewhere/che', 'ckout/src/index.ts"']],
    ['a registry', ['https://regi', 'stry.example.org/zod']],
    ['a registry', ['http://npm.arti', 'factory.example:8081/']],
    ['a registry', ['regis', 'try=https://example.org/']],
    ['a test that is left out', ['it.on', "ly('x', () => {})"]],
    ['a test that is left out', ['describe.sk', "ip('x', () => {})"]],
    ['a test that is left out', ['it.each([1]).sk', "ip('x', () => {})"]],
    ['a wait that a busy machine does not keep', ['await vi.wait', 'For(() => expect(seen).toBe(1))']],
    ['a wait that a busy machine does not keep', ['await vi.wait', 'Until(() => isThere)']],
    ['a note of unfinished work', ['// TO', 'DO: later']],
    ['a note of unfinished work', ['FIX', 'ME']],
  ]

  it.each(planted)('%s is found with its file and line', (what, parts) => {
    const text = `a sound line\n${parts.join('')}\n`
    expect(uncleanPlaces('x.md', text, '/somewhere/checkout')).toEqual([`x.md:2 has ${what}`])
  })

  it.each([
    'https://example.org/home/page',
    '~/.local/state/stint',
    'src/home/file.ts',
    'http://127.0.0.1:4000/k/KEY/anthropic',
    'registry.get(name)',
    'if (skip(3)) only(2)',
  ])('similar text is accepted: %s', (line) => {
    expect(uncleanPlaces('x.md', line, '/somewhere/checkout')).toEqual([])
  })
})
