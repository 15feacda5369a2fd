import { lstatSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { InvalidConfigError } from './invalid-config-error.ts'

const PROJECT_NAMES = ['stint.config.yaml', 'stint.config.yml', 'stint.config.json'] as const
const USER_NAMES = ['config.yaml', 'config.yml', 'config.json'] as const
// No real folder is nested this deep.
const MOST_FOLDERS = 256

/** The project's config: in the working folder, or the nearest folder above that has one; `null` if none has. */
export function findProjectFile(workingFolder: string): string | null {
  let folder = workingFolder
  for (let step = 0; step < MOST_FOLDERS; step++) {
    const file = onlyFileOf(folder, PROJECT_NAMES)
    if (file !== null) return file
    const above = dirname(folder)
    if (above === folder) return null
    folder = above
  }
  return null
}

/** The user's config in `$XDG_CONFIG_HOME/stint`, by default `~/.config/stint`; `null` if there is none. */
export function findUserFile(env: Readonly<Record<string, string | undefined>>, homeFolder: string): string | null {
  return onlyFileOf(userConfigFolder(env, homeFolder), USER_NAMES)
}

/** Every file that is, or would be, read as the user's config. */
export function userConfigFiles(
  env: Readonly<Record<string, string | undefined>>,
  homeFolder: string,
): readonly string[] {
  return USER_NAMES.map((name) => join(userConfigFolder(env, homeFolder), name))
}

function userConfigFolder(env: Readonly<Record<string, string | undefined>>, homeFolder: string): string {
  const { XDG_CONFIG_HOME: configured } = env
  const base = configured !== undefined && isAbsolute(configured) ? configured : join(homeFolder, '.config')
  return join(base, 'stint')
}

/** If two files were side by side, one would be ignored, and that is the one people would edit. */
function onlyFileOf(folder: string, names: readonly string[]): string | null {
  const found = names.filter((name) => isThere(join(folder, name)))
  if (found.length > 1) {
    const message = `There are two configs here: ${found.join(' and ')}. Keep one of them.`
    throw new InvalidConfigError([{ place: folder, value: found, message }])
  }
  return found.length === 0 ? null : join(folder, found[0]!)
}

function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined
  } catch {
    // A parent folder that we may not read does not belong to the project.
    return false
  }
}
