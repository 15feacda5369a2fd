import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ERROR_CODES } from '../../src/core/stint-error.ts'
import { anchorsOf, relativeLinksOf } from './links.ts'
import { acceptedVersionOf, findMachineNode } from './machine-node.ts'
import { REPOSITORY, readRepositoryFile, repositoryFiles } from './repository.ts'
import { runProgram } from './run-program.ts'
import { runnableSource, type Snippet, snippetsOf } from './snippets.ts'
import { createTemporaryFolder, writeFileInFolder } from './temporary-folder.ts'

const pages = repositoryFiles().filter((path) => path.endsWith('.md'))
const snippets = pages.flatMap((page) => snippetsOf(page, readRepositoryFile(page)))

function brokenLinksOf(page: string, markdown: string): readonly string[] {
  return relativeLinksOf(page, markdown).flatMap(({ line, path, fragment }) => {
    if (!existsSync(join(REPOSITORY, path))) return [`${page}:${line} points to ${path}, which is not there`]
    if (fragment === '') return []
    const target = path === page ? markdown : readRepositoryFile(path)
    return anchorsOf(target).has(fragment) ? [] : [`${page}:${line} points to #${fragment}, which ${path} lacks`]
  })
}

function pagesReachableFrom(...starts: readonly string[]): ReadonlySet<string> {
  const reached = new Set(starts)
  for (const page of reached) {
    for (const { path } of relativeLinksOf(page, readRepositoryFile(page))) if (pages.includes(path)) reached.add(path)
  }
  return reached
}

/** Paths of the repository in code spans, or at the start of a line inside a fence. Placeholders like `<name>` don't count. */
function pathsNamedIn(markdown: string): readonly string[] {
  const named = markdown.matchAll(/(?:^|`)((?:src|tests|bench|scripts|schemas|docs)\/[\w./-]*)(?:`|\s)/gm)
  return [...named].map((match) => match[1] ?? '')
}

function runSnippet(snippet: Snippet) {
  const folder = createTemporaryFolder({
    'package.json': '{ "type": "module" }',
    'snippet.ts': runnableSource(snippet),
  })
  return runProgram(process.execPath, ['--disable-warning=ExperimentalWarning', 'snippet.ts'], { cwd: folder })
}

function outputLines(stdout: string): readonly string[] {
  return stdout === ''
    ? []
    : stdout
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => line.trimEnd())
}

describe('links', () => {
  it.each(pages)('of %s exist', (page) => {
    expect(brokenLinksOf(page, readRepositoryFile(page))).toEqual([])
  })

  it('that are broken are found, with file and line', () => {
    const planted = 'See [one](docs/no-such-page.md),\n[two](README.md#no-such-heading) and <img src="gone.svg">.'
    expect(brokenLinksOf('README.md', planted)).toEqual([
      'README.md:1 points to docs/no-such-page.md, which is not there',
      'README.md:2 points to #no-such-heading, which README.md lacks',
      'README.md:2 points to gone.svg, which is not there',
    ])
  })

  // CONTRIBUTING.md is not in the package, so no packed page may link to it: GitHub shows it by itself.
  it('reach every page from the README or from CONTRIBUTING.md', () => {
    const reachable = pagesReachableFrom('README.md', 'CONTRIBUTING.md')
    expect(pages.filter((page) => !reachable.has(page))).toEqual([])
  })
})

describe('paths', () => {
  it.each(pages)('that %s names exist', (page) => {
    const missing = pathsNamedIn(readRepositoryFile(page)).filter((path) => !existsSync(join(REPOSITORY, path)))
    expect(missing).toEqual([])
  })

  it('that do not exist are found', () => {
    const planted = 'Edit `src/core/gone.ts`, `src/stores/<name>/` and `npm test`.\n```\nsrc/none/   a folder\n```\n'
    expect(pathsNamedIn(planted)).toEqual(['src/core/gone.ts', 'src/none/'])
  })

  it('of all folders in src are on the map of ARCHITECTURE.md', () => {
    const onTheMap = pathsNamedIn(readRepositoryFile('ARCHITECTURE.md'))
    const folders = repositoryFiles().flatMap((path) => /^src\/(?:stores\/|adapters\/)?[^/]+\//.exec(path) ?? [])
    expect([...new Set(folders)].filter((folder) => !onTheMap.includes(folder))).toEqual([])
  })
})

describe('snippets', () => {
  it('exist in the README and in the tutorial', () => {
    const pagesWithSnippets = snippets.map((snippet) => snippet.page)
    expect(pagesWithSnippets).toContain('README.md')
    expect(pagesWithSnippets).toContain('docs/tutorial/first-limit.md')
  })

  it.each(snippets.map((snippet) => [`${snippet.page}:${snippet.line}`, snippet] as const))(
    '%s runs and prints what its comments say',
    (_, snippet) => {
      const { status, stdout, stderr } = runSnippet(snippet)
      expect(stderr).toBe('')
      expect(outputLines(stdout)).toEqual(snippet.expectedOutput)
      expect(status).toBe(0)
    },
  )

  it('of the tutorial are plain JavaScript, and run on the oldest supported Node', () => {
    const node = findMachineNode(process.env.PATH ?? '')
    acceptedVersionOf(node)
    const [tutorial] = snippets.filter(({ page }) => page === 'docs/tutorial/first-limit.md')
    const folder = createTemporaryFolder({ 'first.mjs': runnableSource(tutorial!) })
    const { stdout, stderr } = runProgram(node, ['first.mjs'], { cwd: folder })
    expect(stderr).toBe('')
    expect(outputLines(stdout)).toEqual(tutorial?.expectedOutput)
  })

  it('type-check', () => {
    const folder = createTemporaryFolder({ 'package.json': '{ "type": "module" }' })
    const files = snippets.map((snippet) => `${snippet.page.replaceAll('/', '-')}-line-${snippet.line}.ts`)
    snippets.forEach((snippet, index) => {
      writeFileInFolder(folder, files[index] ?? '', runnableSource(snippet))
    })
    const compilerOptions = {
      ...JSON.parse(readRepositoryFile('tsconfig.json')).compilerOptions,
      typeRoots: [join(REPOSITORY, 'node_modules/@types')],
      noUnusedLocals: false,
      moduleDetection: 'force',
    }
    writeFileInFolder(folder, 'tsconfig.json', JSON.stringify({ compilerOptions, files }))
    const compiler = join(REPOSITORY, 'node_modules/typescript/bin/tsc')
    const { status, stdout } = runProgram(process.execPath, [compiler, '--project', '.'], { cwd: folder })
    expect(stdout).toBe('')
    expect(status).toBe(0)
  })

  it('that throw, or print something else, are reported', () => {
    const page = [
      '```ts\nconsole.log(6 * 4) // 25\n```',
      "```ts\nthrow new Error('broken')\n```",
      "```ts\nimport { nothing } from 'stint/core'\n```",
    ]
    const [wrong, broken, missing] = snippetsOf('planted.md', page.join('\n'))
    expect(outputLines(runSnippet(wrong as Snippet).stdout)).not.toEqual(wrong?.expectedOutput)
    expect(runSnippet(broken as Snippet)).toMatchObject({ status: 1, stderr: expect.stringContaining('broken') })
    expect(runSnippet(missing as Snippet)).toMatchObject({ status: 1, stderr: expect.stringContaining('nothing') })
  })

  it('are parsed by the documented convention', () => {
    const page = [
      '# Page',
      '```ts\nconst list = [1, 2]\nfor (const item of list) {\n  console.log(item) // 1\n  // 2\n}\n```',
      '```ts continue\nconsole.log(list.length)\n// 2\n```',
      '```ts no-run\nboom()\n```',
      '```sh\nnpm test\n```',
    ]
    expect(snippetsOf('page.md', page.join('\n'))).toEqual([
      expect.objectContaining({ line: 2, expectedOutput: ['1', '2', '2'] }),
    ])
    expect(() => snippetsOf('page.md', '```ts norun\n```')).toThrow('page.md:1: "ts norun" is not known')
    expect(() => runnableSource({ page: '', line: 1, code: "import 'stint/nowhere'", expectedOutput: [] })).toThrow(
      'package.json exports no "./nowhere"',
    )
  })
})

describe('docs/reference/errors.md', () => {
  it('explains exactly the existing codes', () => {
    const page = readRepositoryFile('docs/reference/errors.md')
    const explained = [...page.matchAll(/^## `(\w+)`$/gm)].map((match) => match[1])
    expect(explained.sort()).toEqual([...ERROR_CODES].sort())
  })
})
