import { resolve } from 'node:path'
import type { ResolvedModel } from '../model-source.ts'
import { modelOfScript } from './model-of-script.ts'
import { parseScript } from './parse-script.ts'
import { playScript } from './play-script.ts'
import { readScriptFile } from './read-script-file.ts'

/** The model of a file, for tests and demos. */
export function openScripted(path: string, workingFolder: string): ResolvedModel {
  const file = resolve(workingFolder, path)
  return modelOfScript(`scripted/${path}`, playScript(parseScript(file, readScriptFile(file))))
}
