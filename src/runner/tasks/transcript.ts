import { type FileHandle, open } from 'node:fs/promises'
import { isPlainObject } from '../../core/index.ts'
import { readSmallFile } from './read-small-file.ts'

/** One line of a transcript: a message of the conversation, or a note about the run. */
export type TranscriptLine =
  | { readonly type: 'message'; readonly message: unknown; readonly [mark: string]: unknown }
  | { readonly type: 'note'; readonly note: string; readonly [field: string]: unknown }

/** The conversation of a run, line by line, as it happens. */
export interface Transcript {
  /** Resolves when the line is on disk. Never rejects: a failure is reported once, and the run continues. */
  append(line: TranscriptLine): Promise<void>
  close(): Promise<void>
}

/** An append-only file. `onLoss` is called for the first line that could not be written. */
export function createTranscript(file: string, onLoss: (error: unknown) => void): Transcript {
  let handle: FileHandle | null = null
  let isLost = false
  let underway: Promise<unknown> = Promise.resolve()

  async function write(text: string): Promise<void> {
    handle ??= await openToAdd(file)
    await handle.appendFile(text)
    await handle.datasync()
  }

  return {
    append(line) {
      const text = `${JSON.stringify({ at: new Date().toISOString(), ...line })}\n`
      const written = underway
        .then(() => write(text))
        .catch((error: unknown) => {
          if (!isLost) onLoss(error)
          isLost = true
        })
      underway = written
      return written
    },
    async close() {
      await underway
      await handle?.close().catch(() => {})
      handle = null
    },
  }
}

const OWNER_ONLY = 0o600

/** Ends a line that a killed process left incomplete, so that the next one is separate. */
async function openToAdd(file: string): Promise<FileHandle> {
  const handle = await open(file, 'a+', OWNER_ONLY)
  const { size } = await handle.stat()
  if (size === 0) return handle
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
  if (buffer.toString() !== '\n') await handle.appendFile('\n')
  return handle
}

/** The messages of a transcript, in order. Incomplete lines and other lines are skipped. */
export function readTranscript(file: string): readonly unknown[] {
  return linesOf(file).flatMap((line) => (line.type === 'message' && isPlainObject(line.message) ? [line.message] : []))
}

/** The values of this mark on our messages, in order. */
export function readMarks(file: string, mark: string): readonly unknown[] {
  return linesOf(file).flatMap((line) => (line.type === 'message' && Object.hasOwn(line, mark) ? [line[mark]] : []))
}

/** The last note of this name; `null` if there is none. */
export function readNote(file: string, note: string): Readonly<Record<string, unknown>> | null {
  return linesOf(file).findLast((line) => line.type === 'note' && line.note === note) ?? null
}

function linesOf(file: string): readonly Readonly<Record<string, unknown>>[] {
  return (readSmallFile(file) ?? '').split('\n').flatMap((line) => {
    const read = parsed(line)
    return isPlainObject(read) ? [read] : []
  })
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
