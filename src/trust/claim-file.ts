import { realpathSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'

/** A project's file, as claims name it: the folder with links resolved, and the path from there. */
export interface ClaimFile {
  readonly folder: string
  readonly name: string
}

/** The file as part of the project in `folder`, by default its own folder. */
export function claimFile(file: string, folder = dirname(file)): ClaimFile {
  const name = relative(resolve(folder), resolve(file))
  return { folder: realPathOf(resolve(folder)), name: name.split(sep).join('/') }
}

/** Whether a claim comes from this file. */
export function isOfFile({ folder, name }: ClaimFile, file: string): boolean {
  return realPathOf(resolve(folder, name)) === realPathOf(resolve(file))
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
