import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseAcceptance } from '../../../src/agents/index.ts'
import { checkFiles } from '../../../src/runner/acceptance/check-files.ts'
import { createTemporaryFolder } from '../../house/temporary-folder.ts'

const contract = parseAcceptance({ evidence: ['changed-files', 'no-staged-files'] })
const LATER_MS = 60_000

function check(workingFolder: string, changedFiles: readonly string[], startedAtMs: number) {
  const place = { workingFolder, startedAtMs, env: process.env, signal: new AbortController().signal }
  return checkFiles(contract, { changedFiles, noStagedFiles: true }, place)
}

describe('evidence from files', () => {
  it('a file that was not touched since the run began counts as unchanged', async () => {
    const folder = createTemporaryFolder({ 'a.ts': 'a', 'b.ts': 'b' })
    expect(await check(folder, ['a.ts', './b.ts'], Date.now())).toEqual([])
    const later = Date.now() + LATER_MS
    expect(await check(folder, ['a.ts', join(folder, 'b.ts'), '/elsewhere/c.ts'], later)).toEqual([
      `changedFiles lists files that were not changed: a.ts, ${join(folder, 'b.ts')}. List plain paths of files that you changed.`,
    ])
  })

  it('a deleted file has changed its folder; one that never existed has not', async () => {
    const folder = createTemporaryFolder({ 'src/a.ts': 'a' })
    rmSync(join(folder, 'src/a.ts'))
    expect(await check(folder, ['src/a.ts'], Date.now())).toEqual([])
    expect(await check(folder, ['imagined/a.ts'], Date.now() + LATER_MS)).toHaveLength(1)
  })

  it('no file may be staged in git; without a repository nothing is', async () => {
    const folder = createTemporaryFolder({ 'a.ts': 'a' })
    expect(await check(folder, [], 0)).toEqual([])
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' })
    git('init', '-q')
    expect(await check(folder, [], 0)).toEqual([])
    git('add', 'a.ts')
    expect(await check(folder, [], 0)).toEqual(['noStagedFiles is not true. Staged in git: a.ts.'])
  })

  it("commands in a repository's git settings are not run", async () => {
    const folder = createTemporaryFolder({ 'a.ts': 'a' })
    execFileSync('git', ['init', '-q'], { cwd: folder })
    execFileSync('git', ['add', 'a.ts'], { cwd: folder })
    const trap = join(folder, 'trap.sh')
    writeFileSync(trap, `#!/bin/sh\ntouch ${join(folder, 'sprung')}\n`, { mode: 0o755 })
    for (const name of ['core.fsmonitor', 'diff.external', 'core.pager', 'pager.diff', 'core.sshCommand']) {
      execFileSync('git', ['config', name, trap], { cwd: folder })
    }
    expect(await check(folder, [], 0)).toHaveLength(1)
    expect(existsSync(join(folder, 'sprung'))).toBe(false)
  })
})
