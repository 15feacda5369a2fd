import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installPackedPackage, textsOfPackage, writeImportOfEveryEntry } from './installed-package.ts'
import { acceptedVersionOf, findMachineNode } from './machine-node.ts'
import { REPOSITORY, readRepositoryFile, repositoryFiles } from './repository.ts'
import { type ProgramResult, runProgram, runProgramOrThrow } from './run-program.ts'
import { removeFolder, writeFileInFolder } from './temporary-folder.ts'
import { uncleanPlaces } from './unclean-places.ts'

const { exports } = JSON.parse(readRepositoryFile('package.json')) as { exports: Record<string, unknown> }
const subpaths = Object.keys(exports)
const entries = subpaths
  .filter((subpath) => !subpath.endsWith('.json'))
  .map((subpath) => subpath.replace(/^\./, 'stint'))
const schemas = repositoryFiles().filter((path) => /^schemas\/.+\.json$/.test(path))

/** Compiles the user's program against the installed types, into `compiled/`. */
function compileProgram(project: string): ProgramResult {
  const compiler = join(REPOSITORY, 'node_modules/typescript/bin/tsc')
  const strictly = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom']
  const args = [compiler, ...strictly, '--rootDir', '.', '--outDir', 'compiled', 'use-library.ts']
  return runProgram(process.execPath, args, { cwd: project })
}

describe('the packed package', () => {
  let project = ''
  let files: readonly string[] = []
  let compilation: ProgramResult

  beforeAll(() => {
    ;({ project, files } = installPackedPackage())
    writeImportOfEveryEntry(project, entries)
    writeFileInFolder(project, 'use-library.ts', readRepositoryFile('tests/house/packed/use-library.ts'))
    const program =
      "import { useLibrary } from './compiled/use-library.js'\nconsole.log(JSON.stringify(await useLibrary()))\n"
    writeFileInFolder(project, 'run.js', program)
    compilation = compileProgram(project)
  })

  afterAll(() => {
    if (project !== '') removeFolder(project)
  })

  it("has types that compile in a strict project with only the compiler's libraries", () => {
    expect(compilation.stdout).toBe('')
    expect(compilation.status).toBe(0)
  })

  describe.each([
    ["the machine's own Node", () => findMachineNode(process.env.PATH ?? '')],
    ['the Node of development', () => process.execPath],
  ])('on %s', (_, find) => {
    it('loads from every entry', () => {
      const node = find()
      acceptedVersionOf(node)
      const counts = JSON.parse(runProgramOrThrow(node, ['import-every-entry.js'], { cwd: project }))
      expect(Object.keys(counts)).toEqual(entries)
      expect(Object.values(counts).filter((count) => count === 0)).toEqual([])
    })

    it('parses, decides and prices', () => {
      const node = find()
      acceptedVersionOf(node)
      expect(JSON.parse(runProgramOrThrow(node, ['run.js'], { cwd: project }))).toEqual({
        limits: ['toolCalls=1/null:terminate', 'cost=2000000000/null:terminate', 'cost=1000000000/day:warn'],
        refused: 'invalid_limit',
        costNanoUsd: 21_000_000,
        first: 'granted',
        second: 'breached',
        settled: 1,
        durable: { settled: 1, isSound: true },
      })
    })

    it.each(['raw-loop.mjs', 'ai-sdk-agent.mjs', 'team-gateway.mjs'])('runs the installed example %s', (name) => {
      const node = find()
      acceptedVersionOf(node)
      const { status, stderr } = runProgram(node, [`node_modules/stint/examples/${name}`], { cwd: project })
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    })
  })

  it('publishes every schema under its name', () => {
    const require = createRequire(join(project, 'run.js'))
    expect(schemas.length).toBeGreaterThan(0)
    for (const path of schemas) expect(require(`stint/${path}`)).toEqual(JSON.parse(readRepositoryFile(path)))
  })

  it('is developed on Node 24, which a dev dependency installs', () => {
    expect(process.versions.node.split('.')[0]).toBe('24')
  })

  it('contains the build, the licence and the README, and no source or test', () => {
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'NOTICE', 'README.md', 'dist/index.js', 'dist/index.d.ts']),
    )
    expect(files.filter((path) => /\.test\.|(^|\/)(src|tests|bench|scripts|node_modules|\.ci)\//.test(path))).toEqual(
      [],
    )
    expect(files.filter((path) => /(?<!\.d)\.ts$/.test(path))).toEqual([])
  })

  it('contains no path of the machine that built it', () => {
    const places = [...textsOfPackage(project)].flatMap(([path, text]) => uncleanPlaces(path, text, REPOSITORY))
    expect(places).toEqual([])
  })
})
