import { execFile } from 'node:child_process'
import { WorktreeError } from './worktree-error.ts'

const TIMEOUT_MS = 120_000
const MOST_OUTPUT_BYTES = 8 * 1024 * 1024

/**
 * Where git finds its data and its files. Both are given explicitly, so that a `.git` file that an agent has written
 * into its folder is never read: its settings could run commands.
 */
export interface GitPlace {
  readonly gitFolder: string
  readonly workTree: string
}

/** Runs git and returns its output. Runs no hooks and prompts for nothing. */
export function runGit(place: GitPlace | string, args: readonly string[]): Promise<string> {
  const own = typeof place === 'string' ? { cwd: place, env: {} } : placeOptions(place)
  const env = {
    ...withoutGitVariables(process.env),
    ...own.env,
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    LC_ALL: 'C',
  }
  return new Promise((resolve, reject) => {
    const options = { cwd: own.cwd, env, timeout: TIMEOUT_MS, maxBuffer: MOST_OUTPUT_BYTES }
    execFile(
      'git',
      ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', ...args],
      options,
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout)
        else reject(gitError(error, stderr))
      },
    )
  })
}

function placeOptions({ gitFolder, workTree }: GitPlace): { cwd: string; env: Readonly<Record<string, string>> } {
  return { cwd: workTree, env: { GIT_DIR: gitFolder, GIT_WORK_TREE: workTree } }
}

/** Inside a git hook, these point to the hook's repository. */
function withoutGitVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')))
}

function gitError(error: Error & { code?: string | number | null }, stderr: string): WorktreeError {
  if (error.code === 'ENOENT')
    return new WorktreeError('git was not found. Worktrees need it: install git, or run without worktree.', error)
  const reason = stderr.trim().split('\n').at(-1) || error.message
  return new WorktreeError(`git failed: ${reason}`, error)
}
