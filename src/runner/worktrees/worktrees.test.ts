import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { addWorktree, cleanRepositoryAt, findWorktree, listWorktrees, removeWorktree, storeChanges } from './index.ts'

const ID = '7d0a1c9e-0000-4000-8000-000000000001'
let top: string
let project: string
let folder: string

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd, encoding: 'utf8' })

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'stint-worktrees-')))
  project = join(top, 'project')
  folder = join(top, 'worktrees')
  mkdirSync(join(project, 'packages/api'), { recursive: true })
  writeFileSync(join(project, 'packages/api/index.txt'), 'one\n')
  git(project, 'init', '--quiet')
  git(project, 'add', '--all')
  git(project, 'commit', '--quiet', '--message', 'first')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(top, { recursive: true, force: true })
})

describe('a worktree', () => {
  it('is created from HEAD, outside the project, with the same folder to work in', async () => {
    const worktree = await addWorktree(folder, ID, await cleanRepositoryAt(join(project, 'packages/api')))
    expect(worktree.workingFolder).toBe(join(folder, ID, 'packages/api'))
    expect(readFileSync(join(worktree.workingFolder, 'index.txt'), 'utf8')).toBe('one\n')
    expect(git(project, 'status', '--porcelain')).toBe('')
  })

  it('is created and removed by itself: git loses one that is half written to the cleanup of another', async () => {
    const log = join(top, 'git.log')
    const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim()
    const script = `#!/bin/sh\ncase "$*" in *" worktree "*) echo begin >> ${log};; esac\n${real} "$@"\ncode=$?\ncase "$*" in *" worktree "*) echo end >> ${log};; esac\nexit $code\n`
    mkdirSync(join(top, 'bin'))
    writeFileSync(join(top, 'bin/git'), script, { mode: 0o755 })
    const repository = await cleanRepositoryAt(project)
    vi.stubEnv('PATH', `${join(top, 'bin')}:${process.env.PATH}`)
    const ids = Array.from({ length: 6 }, (_, index) => `${ID}.${index}`)
    await Promise.all(ids.map(async (id) => removeWorktree(folder, await addWorktree(folder, id, repository))))
    // Each is pruned and added, and pruned again.
    expect(readFileSync(log, 'utf8')).toBe('begin\nend\n'.repeat(3 * ids.length))
  })

  it('is refused in a dirty tree, with the files and the fix', async () => {
    writeFileSync(join(project, 'new.txt'), 'new')
    await expect(cleanRepositoryAt(project)).rejects.toThrow(
      /uncommitted changes \(new\.txt\).*git stash --include-untracked/,
    )
  })

  it('is refused outside of a repository, and in one without a commit', async () => {
    await expect(cleanRepositoryAt(top)).rejects.toThrow('is not in a git repository')
    const empty = join(top, 'empty')
    mkdirSync(empty)
    git(empty, 'init', '--quiet')
    await expect(cleanRepositoryAt(empty)).rejects.toThrow('has no commit yet')
  })

  it('is refused if it cannot be created, with the place', async () => {
    writeFileSync(folder, 'a file')
    await expect(addWorktree(folder, ID, await cleanRepositoryAt(project))).rejects.toThrow(
      `No worktree could be created for ${ID}`,
    )
  })

  it('leaves a patch with all changes, committed or not, that applies to the project', async () => {
    const worktree = await addWorktree(folder, ID, await cleanRepositoryAt(project))
    writeFileSync(join(worktree.path, 'packages/api/index.txt'), 'two\n')
    git(worktree.path, 'commit', '--quiet', '--all', '--message', 'by the agent')
    writeFileSync(join(worktree.path, 'image.bin'), Buffer.from([0, 1, 2, 255]))
    const changes = await storeChanges(worktree, join(top, 'artifacts'))
    expect(changes.files).toBe(2)
    expect(readFileSync(changes.summaryFile, 'utf8')).toMatch(/image\.bin[\s\S]*index\.txt[\s\S]*2 files changed/)
    await removeWorktree(folder, worktree)
    expect(existsSync(worktree.path)).toBe(false)
    expect(git(project, 'worktree', 'list').trim().split('\n')).toHaveLength(1)
    git(project, 'apply', changes.patchFile)
    expect(readFileSync(join(project, 'packages/api/index.txt'), 'utf8')).toBe('two\n')
    expect([...readFileSync(join(project, 'image.bin'))]).toEqual([0, 1, 2, 255])
  })

  it('without a change leaves an empty patch and says so', async () => {
    const worktree = await addWorktree(folder, ID, await cleanRepositoryAt(project))
    const changes = await storeChanges(worktree, join(top, 'artifacts'))
    expect(changes.files).toBe(0)
    expect(readFileSync(changes.summaryFile, 'utf8')).toBe('No file was changed.\n')
    expect(readFileSync(changes.patchFile, 'utf8')).toBe('')
  })

  it('is the same one for a resumed task', async () => {
    const repository = await cleanRepositoryAt(project)
    const first = await addWorktree(folder, ID, repository)
    writeFileSync(join(first.path, 'half-done.txt'), 'half')
    expect(await addWorktree(folder, ID, repository)).toEqual(first)
    expect(existsSync(join(first.path, 'half-done.txt'))).toBe(true)
    expect(listWorktrees(folder)).toEqual([first])
    expect(findWorktree(folder, ID)).toEqual(first)
  })

  it('is recreated if a killed process left it unrecorded', async () => {
    const repository = await cleanRepositoryAt(project)
    const first = await addWorktree(folder, ID, repository)
    rmSync(join(folder, `${ID}.json`))
    writeFileSync(join(first.path, 'left.txt'), 'left')
    const again = await addWorktree(folder, ID, repository)
    expect(existsSync(join(again.path, 'left.txt'))).toBe(false)
  })

  it('ignores git settings that an agent wrote into it', async () => {
    const worktree = await addWorktree(folder, ID, await cleanRepositoryAt(project))
    const marker = join(top, 'was-run')
    const planted = join(top, 'planted')
    git(top, 'init', '--quiet', planted)
    git(planted, 'config', 'core.fsmonitor', `touch ${marker}; false`)
    writeFileSync(join(worktree.path, '.git'), `gitdir: ${planted}/.git\n`)
    await storeChanges(worktree, join(top, 'artifacts'))
    expect(existsSync(marker)).toBe(false)
  })

  it('runs no hook of the repository', async () => {
    const marker = join(top, 'was-run')
    writeFileSync(join(project, '.git/hooks/post-checkout'), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 })
    await addWorktree(folder, ID, await cleanRepositoryAt(project))
    expect(existsSync(marker)).toBe(false)
  })
})
