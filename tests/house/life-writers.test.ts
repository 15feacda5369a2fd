import { describe, expect, it } from 'vitest'
import { lifeWriters, writableFields } from './life-writers.ts'
import { readRepositoryFile, repositoryFiles } from './repository.ts'

const ROOM = 'src/governor/scope'

describe('the lifecycle of a scope', () => {
  it('is written in one place', () => {
    const files = repositoryFiles().filter((path) => /^src\/.*\.ts$/.test(path))
    const writers = files.flatMap((path) => lifeWriters(path, readRepositoryFile(path)))
    expect(writers).toEqual([expect.stringMatching(`^${ROOM}/change-lifecycle\\.ts:\\d+: written\\.life = after$`)])
  })

  it('is readonly in its type', () => {
    expect(writableFields(readRepositoryFile(`${ROOM}/lifecycle.ts`), 'Lifecycle')).toEqual([])
    expect(writableFields(readRepositoryFile('src/governor/steering/pause.ts'), 'Pause')).toEqual([])
    expect(writableFields(readRepositoryFile(`${ROOM}/scope-runtime.ts`), 'ScopeRuntime')).not.toContain('life')
    expect(writableFields('interface Life { status: string; readonly halt: null }', 'Life')).toEqual(['status'])
  })

  it.each([
    'runtime.life = other',
    "runtime['life'] = other",
    'runtime.life.halt ??= breaches',
    'scope.life.moves++',
    'delete scope.life.pause',
    'Object.assign(runtime.life, { pause: null })',
    'Object.assign(runtime, { life: other })',
  ])('is not written by: %s', (line) => {
    expect(lifeWriters('x.ts', `const { life } = runtime\n${line}\n`)).toEqual([`x.ts:2: ${line}`])
  })
})
