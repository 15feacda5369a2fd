import { describe, expect, it } from 'vitest'
import { entriesWithAddress, inexactVersions, type Lock, missingOptionalPackages } from './lock-problems.ts'
import { readRepositoryFile } from './repository.ts'

const lock: Lock = JSON.parse(readRepositoryFile('e2e/package-lock.json'))
const manifest = JSON.parse(readRepositoryFile('e2e/package.json'))
const PROGRAMS = {
  '@anthropic-ai/claude-code': 'Claude Code',
  '@openai/codex': 'Codex',
  '@earendil-works/pi-coding-agent': 'pi',
  'opencode-linux-x64': 'opencode',
}
// A program that comes as a platform package is optional: its tests cannot run on other platforms.
const VERSIONS: Readonly<Record<string, string>> = { ...manifest.dependencies, ...manifest.optionalDependencies }

describe('the programs of npm run e2e', () => {
  it('have exact versions, and a lock without addresses for every platform', () => {
    expect(inexactVersions({ dependencies: VERSIONS })).toEqual([])
    expect(entriesWithAddress(lock)).toEqual([])
    expect(missingOptionalPackages(lock)).toEqual([])
    const { dependencies, optionalDependencies } = lock.packages[''] as Record<string, unknown>
    expect({ dependencies, optionalDependencies }).toEqual({
      dependencies: manifest.dependencies,
      optionalDependencies: manifest.optionalDependencies,
    })
  })

  it('come with the programs that they are compared with, locked in the same way', () => {
    const peers: Lock = JSON.parse(readRepositoryFile('e2e/compare/package-lock.json'))
    const { dependencies } = JSON.parse(readRepositoryFile('e2e/compare/package.json'))
    expect(inexactVersions({ dependencies })).toEqual([])
    expect(entriesWithAddress(peers)).toEqual([])
    expect(missingOptionalPackages(peers)).toEqual([])
    expect(peers.packages['']).toMatchObject({ dependencies })
  })

  it('are separate from the packages of the project', () => {
    const project = JSON.parse(readRepositoryFile('package.json'))
    const named = Object.keys({ ...project.dependencies, ...project.devDependencies })
    expect(named.filter((name) => Object.hasOwn(PROGRAMS, name))).toEqual([])
  })

  it('are named in the docs with the tested versions', () => {
    const page = readRepositoryFile('docs/how-to/limit-any-agent.md')
    expect(Object.keys(VERSIONS).sort()).toEqual(Object.keys(PROGRAMS).sort())
    for (const [name, shown] of Object.entries(PROGRAMS)) {
      expect(page).toContain(`${shown} ${VERSIONS[name]}`)
    }
  })
})
