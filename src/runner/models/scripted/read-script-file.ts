import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { codeOf } from '../../../core/checks/thrown.ts'
import { InvalidScriptError } from './invalid-script-error.ts'

const LARGEST_FILE_BYTES = 10 * 1024 * 1024

/** Reads a JSON file. Throws `InvalidScriptError`. */
export function readScriptFile(file: string): unknown {
  const text = readText(file)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new InvalidScriptError(file, 'it is not valid JSON', error)
  }
}

function readText(file: string): string {
  try {
    const descriptor = openSync(file, 'r')
    try {
      const status = fstatSync(descriptor)
      if (!status.isFile()) throw new InvalidScriptError(file, 'it is not a file')
      if (status.size > LARGEST_FILE_BYTES) {
        throw new InvalidScriptError(file, `it has more than ${LARGEST_FILE_BYTES} bytes`)
      }
      return readFileSync(descriptor, 'utf8')
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (error instanceof InvalidScriptError) throw error
    const code = codeOf(error)
    const problem = code === 'ENOENT' ? 'there is no such file in the working folder' : `it cannot be read (${code})`
    throw new InvalidScriptError(file, problem, error)
  }
}
