import { join, resolve } from 'node:path'
import type { Machine } from './machine.ts'

/** Where Stint keeps its own files. The folder need not exist. */
export function stintHome({ env, workingFolder, homeFolder }: Machine): string {
  const { STINT_HOME: configured } = env
  return configured ? resolve(workingFolder, configured) : join(homeFolder, '.local', 'state', 'stint')
}
