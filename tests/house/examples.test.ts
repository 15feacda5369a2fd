import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { acceptedVersionOf, findMachineNode } from './machine-node.ts'
import { REPOSITORY, readRepositoryFile, repositoryFiles } from './repository.ts'
import { runProgram } from './run-program.ts'
import { snippetsOf } from './snippets.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

const examples = repositoryFiles().filter((path) => /^examples\/[^/]+\.mjs$/.test(path))
const hasPython = spawnSync('python3', ['--version']).status === 0

function expectedOutputOf(path: string): readonly string[] {
  const [program] = snippetsOf(path, `\`\`\`ts\n${readRepositoryFile(path)}\`\`\`\n`)
  return program?.expectedOutput ?? []
}

describe('examples', () => {
  it('exist, and each is listed', () => {
    expect(examples.length).toBeGreaterThan(0)
    const list = readRepositoryFile('examples/README.md')
    for (const path of examples) expect(list).toContain(`](${path.replace('examples/', '')})`)
  })

  describe.each([
    ["the machine's own Node", () => findMachineNode(process.env.PATH ?? '')],
    ['the Node of development', () => process.execPath],
  ])('on %s', (_, find) => {
    it.for(examples)('%s runs without a key, and prints what its comments say', (path, { skip }) => {
      if (path.includes('python') && !hasPython) return skip('there is no python3')
      const node = find()
      acceptedVersionOf(node)
      // It finds `stint` as any program does: a package can import itself by name.
      const { status, stdout, stderr } = runProgram(node, [path], { cwd: REPOSITORY })
      expect(stderr).toBe('')
      const lines = stdout.trimEnd().split('\n')
      expect(lines.map((line) => line.trimEnd())).toEqual(expectedOutputOf(path))
      expect(status).toBe(0)
    })
  })

  it('type-check against the library', () => {
    const compilerOptions = {
      ...JSON.parse(readRepositoryFile('tsconfig.json')).compilerOptions,
      typeRoots: [join(REPOSITORY, 'node_modules/@types')],
      lib: ['ES2023', 'DOM'],
      allowJs: true,
      checkJs: true,
      noImplicitAny: false,
    }
    const files = examples.map((path) => join(REPOSITORY, path))
    const folder = createTemporaryFolder({ 'tsconfig.json': JSON.stringify({ compilerOptions, files }) })
    const compiler = join(REPOSITORY, 'node_modules/typescript/bin/tsc')
    const { stdout } = runProgram(process.execPath, [compiler, '--project', '.'], { cwd: folder })
    expect(stdout).toBe('')
  })
})
