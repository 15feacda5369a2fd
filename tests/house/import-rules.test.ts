import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plantedViolations, soundTree } from './planted-imports.ts'
import { REPOSITORY, readRepositoryFile, repositoryFiles } from './repository.ts'
import { type ProgramResult, runProgram } from './run-program.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

interface Rule {
  readonly name: string
  readonly comment?: string
}

const { forbidden: rules }: { forbidden: readonly Rule[] } = createRequire(import.meta.url)(
  '../../dependency-rules.cjs',
)

/** Runs the same program with the same rules as `npm run lint:imports`. */
function checkImports(folder: string, outputType: 'err' | 'json'): ProgramResult {
  const program = join(REPOSITORY, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const args = [program, '--config', 'dependency-rules.cjs', '--output-type', outputType, 'src', 'web/src']
  return runProgram(process.execPath, args, { cwd: folder })
}

function folderWith(files: Readonly<Record<string, string>>): string {
  return createTemporaryFolder({
    ...soundTree,
    ...files,
    'dependency-rules.cjs': readRepositoryFile('dependency-rules.cjs'),
    'tsconfig.json': readRepositoryFile('tsconfig.json'),
  })
}

describe('the import rules', () => {
  it('see every module under src and web/src, and what it imports', () => {
    const { modules } = JSON.parse(checkImports(REPOSITORY, 'json').stdout) as {
      modules: { source: string; dependencies: unknown[] }[]
    }
    const seen = modules.map((module) => module.source).filter((source) => /^(src|web\/src)\/.*\.tsx?$/.test(source))
    const written = repositoryFiles().filter((path) => /^(src|web\/src)\/.*\.tsx?$/.test(path))
    expect(written.length).toBeGreaterThan(0)
    expect(seen.sort()).toEqual(written)

    for (const { source, dependencies } of modules.filter((module) => written.includes(module.source))) {
      const isImporting = /^(\}|import\b.*|export\b.*) from '|^import '/m.test(readRepositoryFile(source))
      expect(dependencies.length > 0, `imports of ${source} were read`).toBe(isImporting)
    }
  })

  it('each have a reason', () => {
    expect(rules.length).toBeGreaterThan(20)
    expect(rules.filter((rule) => (rule.comment ?? '').length < 20)).toEqual([])
  })

  it('are followed by src and web/src', () => {
    const { status, stdout } = checkImports(REPOSITORY, 'err')
    expect(status, stdout).toBe(0)
  })

  it('accept a valid tree with all folders of the design', () => {
    const { status, stdout } = checkImports(folderWith({}), 'err')
    expect(stdout).toContain('no dependency violations found')
    expect(status).toBe(0)
  })

  it('fail for a planted violation of each rule, and name the rule and the file', () => {
    const planted = Object.fromEntries(plantedViolations.flatMap(({ files }) => Object.entries(files)))
    const { status, stdout } = checkImports(folderWith(planted), 'err')
    for (const { rule, from } of plantedViolations) {
      expect(stdout, `${rule} was broken in ${from}`).toMatch(
        new RegExp(`error ${rule}: ${from.replaceAll('.', '\\.')}`),
      )
    }
    expect(status).not.toBe(0)
  })

  it('are all planted at least once', () => {
    const planted = new Set(plantedViolations.map(({ rule }) => rule))
    expect(rules.map((rule) => rule.name).filter((name) => !planted.has(name))).toEqual([])
  })
})
