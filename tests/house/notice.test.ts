import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { REPOSITORY, readRepositoryFile, repositoryFiles } from './repository.ts'

it('NOTICE has the licence of every package that is part of the program', () => {
  const folder = join(REPOSITORY, 'dist/cli')
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  const regions = texts.flatMap((text) => [...text.matchAll(/^\/\/#region node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)])
  const bundled = [...new Set(regions.map(([, name]) => name!))].sort()
  expect(bundled).toEqual(['commander', 'yaml', 'zod'])
  expectLicences(bundled)
})

it('NOTICE has the licence of every package that is part of the page', () => {
  const sources = repositoryFiles().filter((path) => /^web\/src\/.*(?<!\.test|\.fixture)\.tsx?$/.test(path))
  const imports = sources.flatMap((path) => [...readRepositoryFile(path).matchAll(/(?:from|import) '([^.'][^'/]*)/g)])
  const bundled = [...new Set(imports.map(([, name]) => name!))].sort()
  expect(bundled).toEqual(['preact', 'uplot'])
  expectLicences(bundled)
})

function expectLicences(packages: readonly string[]): void {
  const notice = readRepositoryFile('NOTICE')
  for (const name of packages) {
    expect(notice).toContain(readFileSync(join(REPOSITORY, 'node_modules', name, 'LICENSE'), 'utf8').trim())
  }
}
