import { accessSync, constants } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../core/checks/thrown.ts'
import { makeFolder } from '../../system/index.ts'
import { type CleanRepository, workingFolderIn } from './clean-repository.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { runGit } from './run-git.ts'
import { findWorktree, recordWorktree, type Worktree } from './worktree.ts'
import { WorktreeError } from './worktree-error.ts'

/** Creates the folder for worktrees. Throws `WorktreeError` if that fails. */
export function makeWorktreeFolder(folder: string): void {
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK)
  } catch (error) {
    throw new WorktreeError(`No worktree can be created in ${folder}: ${messageOf(error)}`, error)
  }
}

/** The worktree of a task, created from the repository's HEAD; an existing one is reused. */
export async function addWorktree(folder: string, id: string, repository: CleanRepository): Promise<Worktree> {
  const found = findWorktree(folder, id)
  if (found !== null) return found
  makeWorktreeFolder(folder)
  const path = join(folder, id)
  try {
    await oneAtATime(repository.root, async () => {
      try {
        await addAnew(path, repository)
      } catch {
        // Another process may have cleaned up at the same time.
        await addAnew(path, repository)
      }
    })
    const worktree = await describe(path, id, repository)
    recordWorktree(folder, worktree)
    return worktree
  } catch (error) {
    throw new WorktreeError(`No worktree could be created for ${id} in ${folder}: ${messageOf(error)}`, error)
  }
}

async function addAnew(path: string, { root, base }: CleanRepository): Promise<void> {
  // Left by a process that was killed before it could record it: no agent has worked there.
  await rm(path, { recursive: true, force: true })
  await runGit(root, ['worktree', 'prune'])
  await runGit(root, ['worktree', 'add', '--detach', path, base])
}

async function describe(path: string, id: string, repository: CleanRepository): Promise<Worktree> {
  const gitFolder = (await runGit(path, ['rev-parse', '--absolute-git-dir'])).trim()
  const workingFolder = workingFolderIn(path, repository)
  // A folder of the project without tracked files is not in HEAD.
  makeFolder(workingFolder)
  return {
    id,
    repository: repository.root,
    gitFolder,
    path,
    workingFolder,
    base: repository.base,
    createdAtMs: Date.now(),
  }
}
