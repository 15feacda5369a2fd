import { realpath } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { isStintError } from '../../core/index.ts'
import { runGit } from './run-git.ts'
import { WorktreeError } from './worktree-error.ts'

const MOST_NAMED = 5

/** A repository without uncommitted changes. */
export interface CleanRepository {
  readonly root: string
  /** The folder that the agents work in, relative to the root; empty if it is the root. */
  readonly below: string
  /** The commit that worktrees are created from. */
  readonly base: string
}

/**
 * The repository of a folder. Refuses one with uncommitted changes: agents would work on something other than what you
 * see.
 */
export async function cleanRepositoryAt(folder: string): Promise<CleanRepository> {
  const root = await rootOf(folder)
  const base = await headOf(root)
  const changes = (await runGit(root, ['status', '--porcelain', '-z'])).split('\0').filter((line) => line !== '')
  if (changes.length > 0) throw dirtyError(root, changes)
  return { root, below: relative(root, await realpath(folder)), base }
}

async function rootOf(folder: string): Promise<string> {
  try {
    const root = (await runGit(folder, ['rev-parse', '--show-toplevel'])).trim()
    if (isAbsolute(root)) return root
  } catch (error) {
    if (!isStintError(error, 'worktree_unusable') || !/not a git repository/i.test(error.message)) throw error
  }
  throw new WorktreeError(
    `${folder} is not in a git repository. Run git init and commit first, or run without worktree.`,
  )
}

async function headOf(root: string): Promise<string> {
  try {
    return (await runGit(root, ['rev-parse', '--verify', 'HEAD^{commit}'])).trim()
  } catch (error) {
    throw new WorktreeError(`${root} has no commit yet. Commit first, or run without worktree.`, error)
  }
}

function dirtyError(root: string, changes: readonly string[]): WorktreeError {
  const named = changes.slice(0, MOST_NAMED).map((line) => line.slice(3))
  const more = changes.length > named.length ? ` and ${changes.length - named.length} more` : ''
  return new WorktreeError(
    `${root} has uncommitted changes (${named.join(', ')}${more}). Worktrees start from HEAD and would not have them: ` +
      'commit them, or put them aside with git stash --include-untracked.',
  )
}

/** The agents' working folder inside a worktree. */
export function workingFolderIn(worktree: string, { below }: Pick<CleanRepository, 'below'>): string {
  return below === '' ? worktree : join(worktree, below)
}
