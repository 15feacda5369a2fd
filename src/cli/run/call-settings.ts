import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isPlainObject } from '../../core/index.ts'
import { makeFolder } from '../../system/index.ts'

/** Flags that are not part of the task itself but are needed to resume it. */
export interface CallSettings {
  readonly baseUrl: string | null
}

const FILE = 'call.json'
const NONE: CallSettings = { baseUrl: null }

/** Saves them in the folder of the task. Never a key. */
export function keepCallSettings(taskFolder: string, settings: CallSettings): void {
  if (settings.baseUrl === null) return
  makeFolder(taskFolder)
  writeFileSync(join(taskFolder, FILE), `${JSON.stringify(settings)}\n`, { mode: 0o600 })
}

/** The saved settings; none if they cannot be read. */
export function readCallSettings(taskFolder: string): CallSettings {
  try {
    const value: unknown = JSON.parse(readFileSync(join(taskFolder, FILE), 'utf8'))
    return isPlainObject(value) && typeof value.baseUrl === 'string' ? { baseUrl: value.baseUrl } : NONE
  } catch {
    return NONE
  }
}
