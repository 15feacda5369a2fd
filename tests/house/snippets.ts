import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { REPOSITORY, readRepositoryFile } from './repository.ts'

export interface Snippet {
  readonly page: string
  /** Where its first fence opens. */
  readonly line: number
  readonly code: string
  /** What the program prints, line by line, according to its comments. */
  readonly expectedOutput: readonly string[]
}

const FENCE = /^```(\S*)[ \t]*(.*)\n([\s\S]*?)^```[ \t]*$/gm

/**
 * The programs in the `ts` fences of a page. Each fence is a program of its own; `ts continue` goes on with the one
 * before it, and `ts no-run` is left out.
 */
export function snippetsOf(page: string, markdown: string): readonly Snippet[] {
  const snippets: Snippet[] = []
  for (const match of markdown.matchAll(FENCE)) {
    const [, language, tag, code] = match
    if (language !== 'ts' || tag === 'no-run') continue
    const line = markdown.slice(0, match.index).split('\n').length
    const before = tag === 'continue' ? snippets.pop() : undefined
    if (tag === 'continue' && before === undefined) throw new Error(`${page}:${line}: nothing to continue`)
    if (tag !== '' && tag !== 'continue') throw new Error(`${page}:${line}: "ts ${tag}" is not known`)
    const whole = `${before?.code ?? ''}${code}`
    snippets.push({ page, line: before?.line ?? line, code: whole, expectedOutput: expectedOutputOf(whole) })
  }
  return snippets
}

/** The comment behind a `console.log(…)`, and the comment lines directly below it. */
function expectedOutputOf(code: string): readonly string[] {
  const expected: string[] = []
  let isBelowLog = false
  for (const line of code.split('\n')) {
    const behindLog = /console\.log\(.*\)[;}\s]*\/\/ ?(.*)$/.exec(line)
    const wholeLine = /^\s*\/\/ ?(.*)$/.exec(line)
    if (behindLog !== null) expected.push((behindLog[1] ?? '').trimEnd())
    else if (isBelowLog && wholeLine !== null) expected.push((wholeLine[1] ?? '').trimEnd())
    isBelowLog = behindLog !== null || (isBelowLog && wholeLine !== null) || /console\.log\(.*\)\s*$/.test(line)
  }
  return expected
}

/**
 * The program as a user would run it, but with `stint` and its subpaths meaning what was built, and the packages that a
 * user has beside it meaning ours: a snippet lies in a folder of its own.
 */
export function runnableSource(snippet: Snippet): string {
  return snippet.code.replaceAll(/(from |import |import\()'((?:stint|ai)(?:\/[^']*)?)'/g, (_, keyword, specifier) => {
    return `${keyword}'${specifier.startsWith('stint') ? builtFileOf(specifier) : packageFileOf(specifier)}'`
  })
}

function builtFileOf(specifier: string): string {
  const { exports } = JSON.parse(readRepositoryFile('package.json'))
  const subpath = specifier.replace(/^stint/, '.')
  if (!Object.hasOwn(exports, subpath))
    throw new Error(`package.json exports no "${subpath}", so '${specifier}' cannot be imported`)
  return join(REPOSITORY, exports[subpath].default)
}

function packageFileOf(specifier: string): string {
  return fileURLToPath(import.meta.resolve(specifier))
}
