import { isAbsolute, join, resolve } from 'node:path'

/** The path that is meant: one that is not absolute starts at `folder`, and `~/` at the home folder. */
export function pathFrom(path: string, folder: string, homeFolder: string): string {
  if (path.startsWith('~/')) return join(homeFolder, path.slice(2))
  return isAbsolute(path) ? path : resolve(folder, path)
}
