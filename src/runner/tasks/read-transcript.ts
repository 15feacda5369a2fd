import { isPlainObject } from '../../core/index.ts'
import { readSmallFile } from './read-small-file.ts'

/** The messages of a transcript in their order. What was left half written, or is no message, is passed over. */
export function readTranscript(file: string): readonly unknown[] {
  const text = readSmallFile(file) ?? ''
  return text.split('\n').flatMap((line) => {
    const read = parsed(line)
    return isPlainObject(read) && read.type === 'message' && isPlainObject(read.message) ? [read.message] : []
  })
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
