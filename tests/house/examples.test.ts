import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { REPOSITORY, readRepositoryFile, repositoryFiles } from './repository.ts'
import { runProgram } from './run-program.ts'
import { runnableSource, snippetsOf } from './snippets.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

const examples = repositoryFiles().filter((path) => /^examples\/.+\.ts$/.test(path))

describe('examples', () => {
  it('are there, and each is listed', () => {
    expect(examples.length).toBeGreaterThan(0)
    const list = readRepositoryFile('examples/README.md')
    for (const path of examples) expect(list).toContain(`](${path.replace('examples/', '')})`)
  })

  it.each(examples)('%s runs without a key, and prints what its comments say', (path) => {
    const [program] = snippetsOf(path, `\`\`\`ts\n${readRepositoryFile(path)}\`\`\`\n`)
    const folder = createTemporaryFolder({
      'package.json': '{ "type": "module" }',
      'example.ts': runnableSource(program!),
    })
    const args = ['--disable-warning=ExperimentalWarning', 'example.ts']
    const { status, stdout, stderr } = runProgram(process.execPath, args, { cwd: folder })
    expect(stderr).toBe('')
    const lines = stdout.trimEnd().split('\n')
    expect(lines.map((line) => line.trimEnd())).toEqual(program?.expectedOutput)
    expect(status).toBe(0)
  })

  it('have sound types', () => {
    const files = Object.fromEntries(
      examples.map((path) => {
        const [program] = snippetsOf(path, `\`\`\`ts\n${readRepositoryFile(path)}\`\`\`\n`)
        return [path.replace('examples/', ''), runnableSource(program!)]
      }),
    )
    const compilerOptions = {
      ...JSON.parse(readRepositoryFile('tsconfig.json')).compilerOptions,
      typeRoots: [join(REPOSITORY, 'node_modules/@types')],
    }
    const project = JSON.stringify({ compilerOptions, files: Object.keys(files) })
    const folder = createTemporaryFolder({ 'package.json': '{ "type": "module" }', 'tsconfig.json': project, ...files })
    const compiler = join(REPOSITORY, 'node_modules/typescript/bin/tsc')
    const { stdout } = runProgram(process.execPath, [compiler, '--project', '.'], { cwd: folder })
    expect(stdout).toBe('')
  })
})
