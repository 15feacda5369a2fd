import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

const LARGEST_BYTES = 64 * 1024 * 1024

/** The text of a regular file; `null` if there is none, it is a link, or it is too large. */
export function readSmallFile(file: string): string | null {
  let descriptor: number | null = null
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    const { size } = fstatSync(descriptor)
    return fstatSync(descriptor).isFile() && size <= LARGEST_BYTES ? readFileSync(descriptor, 'utf8') : null
  } catch {
    return null
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
}
