import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../system/index.ts'
import { runGit } from './run-git.ts'
import type { Worktree } from './worktree.ts'

/** What an agent changed in its worktree. */
export interface WorktreeChanges {
  /** For `git apply`: everything since the worktree's base commit, committed or not. */
  readonly patchFile: string
  /** A summary: each file with its number of lines, as `git diff --stat` shows it. */
  readonly summaryFile: string
  readonly files: number
}

export const PATCH_FILE = 'changes.patch'
export const SUMMARY_FILE = 'changes.txt'

const OWNER_ONLY = 0o600

/** Stores the changes as a patch and a summary. Merges nothing. */
export async function storeChanges(worktree: Worktree, artifactFolder: string): Promise<WorktreeChanges> {
  const place = { gitFolder: worktree.gitFolder, workTree: worktree.path }
  makeFolder(artifactFolder)
  const patchFile = join(artifactFolder, PATCH_FILE)
  const summaryFile = join(artifactFolder, SUMMARY_FILE)
  await runGit(place, ['add', '--all'])
  const diff = ['diff', '--cached', '--no-ext-diff', '--no-textconv', '--no-color']
  // Under another name until it is complete, so that an existing patch can be trusted.
  const unfinished = `${patchFile}.tmp`
  await writeFile(unfinished, '', { mode: OWNER_ONLY })
  await runGit(place, [...diff, '--binary', '--full-index', `--output=${unfinished}`, worktree.base])
  const names = await runGit(place, [...diff, '--name-only', '-z', worktree.base])
  const files = names.split('\0').filter((name) => name !== '').length
  const stat = await runGit(place, [...diff, '--stat=100', worktree.base])
  await writeFile(summaryFile, stat === '' ? 'No file was changed.\n' : stat, { mode: OWNER_ONLY })
  await rename(unfinished, patchFile)
  return { patchFile, summaryFile, files }
}
