import { statSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY, repositoryFiles } from '../house/repository.ts'

/** Why `dist/` is not what the source is now; `null` if it is. */
export function staleBuild(repository = REPOSITORY, files = repositoryFiles()): string | null {
  const builtAtMs = modifiedAtMs(join(repository, 'dist', 'index.js'))
  if (builtAtMs === null) return 'dist/ is missing'
  const newer = files
    .filter(
      (path) => /^((src|web)\/.*|package\.json|tsdown\.config\.ts)$/.test(path) && !/\.(test|fixture)\.ts$/.test(path),
    )
    .find((path) => (modifiedAtMs(join(repository, path)) ?? 0) > builtAtMs)
  return newer === undefined ? null : `dist/ is older than ${newer}`
}

function modifiedAtMs(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null
}
