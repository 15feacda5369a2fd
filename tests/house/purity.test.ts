import { describe, expect, it } from 'vitest'
import { impurePlaces } from './impure-places.ts'
import { readRepositoryFile, repositoryFiles } from './repository.ts'

describe('the pure folders', () => {
  const files = repositoryFiles().filter(
    (path) => /^src\/(core|policy|pricing|stores\/memory)\//.test(path) && !/\.(test|fixture)\.ts$/.test(path),
  )

  it('take time and randomness as arguments', () => {
    expect(files.length).toBeGreaterThan(0)
    expect(files.flatMap((path) => impurePlaces(path, readRepositoryFile(path)))).toEqual([])
  })

  it.each(['const now = Date.now()', 'new Date().toISOString()', 'const coin = Math.random()', 'new Date'])(
    'do not contain: %s',
    (line) => {
      expect(impurePlaces('x.ts', `const sound = new Date(atMs)\n${line}\n`)).toEqual([`x.ts:2: ${line}`])
    },
  )

  it('may use a clock as the default of an argument', () => {
    expect(impurePlaces('x.ts', 'const { now = () => new Date(), size = 3 } = options')).toEqual([])
    expect(impurePlaces('x.ts', 'const { now = () => new Date(), at = Date.now() } = options')).toHaveLength(1)
  })
})
