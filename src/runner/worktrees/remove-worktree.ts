import { rm } from 'node:fs/promises'
import { oneAtATime } from './one-at-a-time.ts'
import { runGit } from './run-git.ts'
import { forgetWorktree, type Worktree } from './worktree.ts'

/** Removes a worktree with everything in it: its changes must be stored already. */
export async function removeWorktree(folder: string, worktree: Worktree): Promise<void> {
  await oneAtATime(worktree.repository, async () => {
    await rm(worktree.path, { recursive: true, force: true })
    await runGit(worktree.repository, ['worktree', 'prune'])
  })
  forgetWorktree(folder, worktree.id)
}
