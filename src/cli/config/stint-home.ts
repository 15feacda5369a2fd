import { join, resolve } from 'node:path'
import type { Platform } from '../platform.ts'

/** Where Stint keeps what is its own. Whether there is such a folder is another question. */
export function stintHome({
  env,
  workingFolder,
  homeFolder,
}: Pick<Platform, 'env' | 'workingFolder' | 'homeFolder'>): string {
  const { STINT_HOME: configured } = env
  return configured ? resolve(workingFolder, configured) : join(homeFolder, '.local', 'state', 'stint')
}
