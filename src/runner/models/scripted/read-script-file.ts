import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { InvalidScriptError } from './invalid-script-error.ts'

const LARGEST_FILE_BYTES = 10 * 1024 * 1024

/** The value of a JSON file. Throws `InvalidScriptError` where there is none. */
export function readScriptFile(file: string): unknown {
  const text = readText(file)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new InvalidScriptError(file, 'it is no JSON', error)
  }
}

function readText(file: string): string {
  try {
    const descriptor = openSync(file, 'r')
    try {
      const status = fstatSync(descriptor)
      if (!status.isFile()) throw new InvalidScriptError(file, 'it is no file')
      if (status.size > LARGEST_FILE_BYTES) {
        throw new InvalidScriptError(file, `it has more than ${LARGEST_FILE_BYTES} bytes`)
      }
      return readFileSync(descriptor, 'utf8')
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (error instanceof InvalidScriptError) throw error
    const { code } = error as NodeJS.ErrnoException
    const problem =
      code === 'ENOENT'
        ? 'there is no such file; it is looked for in the working folder'
        : `it cannot be read (${code})`
    throw new InvalidScriptError(file, problem, error)
  }
}
