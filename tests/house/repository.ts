import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of the checkout. */
export const REPOSITORY = join(import.meta.dirname, '..', '..')

/** The text of a file, its path given from the root of the repository. */
export function readRepositoryFile(path: string): string {
  return readFileSync(join(REPOSITORY, path), 'utf8')
}

/** Every file that is committed or that `git add --all` would add, as sorted paths from the root. */
export function repositoryFiles(): readonly string[] {
  const listing = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: REPOSITORY,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  // A file that is deleted but not yet committed as such is still in the index.
  const paths = listing.split('\0').filter((path) => path !== '' && existsSync(join(REPOSITORY, path)))
  return [...new Set(paths)].sort()
}
