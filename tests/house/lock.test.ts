import { describe, expect, it } from 'vitest'
import {
  dependenciesThatRefuse,
  entriesWithAddress,
  inexactVersions,
  type Lock,
  missingOptionalPackages,
} from './lock-problems.ts'
import { readRepositoryFile } from './repository.ts'

const lock: Lock = JSON.parse(readRepositoryFile('package-lock.json'))
const manifest = JSON.parse(readRepositoryFile('package.json'))

describe('the lock', () => {
  it('contains no address, so that any registry can serve it', () => {
    expect(entriesWithAddress(lock)).toEqual([])
  })

  it('reports an address', () => {
    const planted: Lock = { packages: { ...lock.packages, 'node_modules/zod': { resolved: 'somewhere/zod.tgz' } } }
    expect(entriesWithAddress(planted)).toEqual(['node_modules/zod'])
  })

  it('contains every platform package that a dependency names, also those of other platforms', () => {
    const named = Object.values(lock.packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}))
    expect(named.length).toBeGreaterThan(20)
    expect(missingOptionalPackages(lock)).toEqual([])
  })

  it('reports each missing platform package', () => {
    const platformPackages = Object.keys(lock.packages).filter((path) => path.includes('darwin-arm64'))
    expect(platformPackages.length).toBeGreaterThan(0)
    for (const path of platformPackages) {
      const { [path]: _, ...packages } = lock.packages
      expect(missingOptionalPackages({ packages }), path).toHaveLength(1)
    }
  })

  it('finds a platform package inside the package that names it', () => {
    const nested: Lock = {
      packages: {
        'node_modules/a/node_modules/tool': { optionalDependencies: { 'tool-linux': '1.0.0', 'tool-mac': '1.0.0' } },
        'node_modules/a/node_modules/tool/node_modules/tool-linux': { version: '1.0.0' },
        'node_modules/b/node_modules/tool-mac': { version: '1.0.0' },
      },
    }
    expect(missingOptionalPackages(nested)).toEqual(['tool-mac@1.0.0, named by node_modules/a/node_modules/tool'])
  })

  it('does not accept another version of a platform package', () => {
    const mixed: Lock = {
      packages: {
        'node_modules/tool': { optionalDependencies: { 'tool-linux': '1.0.0' } },
        'node_modules/tool-linux': { version: '1.0.1' },
      },
    }
    expect(missingOptionalPackages(mixed)).toEqual(['tool-linux@1.0.0, named by node_modules/tool'])
  })

  it('looks for an aliased platform package under its alias', () => {
    const aliased = (version: string): Lock => ({
      packages: {
        'node_modules/tool': { optionalDependencies: { 'tool-linux': 'npm:@maker/tool@1.0.0-linux' } },
        'node_modules/tool-linux': { version },
      },
    })
    expect(missingOptionalPackages(aliased('1.0.0-linux'))).toEqual([])
    expect(missingOptionalPackages(aliased('1.0.1-linux'))).toHaveLength(1)
  })

  it('belongs to this package.json', () => {
    const root = lock.packages[''] as Record<string, unknown>
    expect(root.dependencies).toEqual(manifest.dependencies)
    expect(root.devDependencies).toEqual(manifest.devDependencies)
  })
})

describe('the versions in package.json', () => {
  it('are exact', () => {
    expect(inexactVersions(manifest)).toEqual([])
  })

  it('are reported if they are ranges', () => {
    const planted = {
      dependencies: { a: '^1.0.0', b: '1.0.0' },
      devDependencies: { c: '~2.1.0', d: 'latest', e: 'npm:a@^1.0.0' },
    }
    expect(inexactVersions(planted)).toEqual(['a@^1.0.0', 'c@~2.1.0', 'd@latest', 'e@npm:a@^1.0.0'])
  })
})

describe('the dependencies of the product', () => {
  it('accept every Node that we promise', () => {
    expect(manifest.engines.node).toBe('>=20.19')
    for (const version of ['20.19.0', '22.13.0', '24.0.0']) {
      expect(dependenciesThatRefuse(version, manifest, lock), version).toEqual([])
    }
  })

  it('are reported if they need a newer one', () => {
    const planted: Lock = {
      packages: { 'node_modules/a': { engines: { node: '^20.20 || >=22' } }, 'node_modules/b': {} },
    }
    const dependencies = { a: '1.0.0', b: '1.0.0' }
    expect(dependenciesThatRefuse('20.19.0', { dependencies }, planted)).toEqual(['a needs Node ^20.20 || >=22'])
  })
})
