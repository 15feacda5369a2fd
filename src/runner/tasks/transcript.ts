import { type FileHandle, open } from 'node:fs/promises'

/** One line of a transcript: a message of the conversation, or a word about the run. */
export type TranscriptLine =
  | { readonly type: 'message'; readonly message: unknown }
  | { readonly type: 'note'; readonly note: string; readonly [field: string]: unknown }

/** What is said in a run, line by line, as it happens. */
export interface Transcript {
  /** Resolves when the line is on the disk. Never rejects: what cannot be written is told once, and the run goes on. */
  append(line: TranscriptLine): Promise<void>
  close(): Promise<void>
}

/** Adds to a file that is only ever added to. `onLoss` is told of the first line that could not be written. */
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

/** A line that a dying process left half written is ended, so that the next one stands alone. */
async function openToAdd(file: string): Promise<FileHandle> {
  const handle = await open(file, 'a+', OWNER_ONLY)
  const { size } = await handle.stat()
  if (size === 0) return handle
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
  if (buffer.toString() !== '\n') await handle.appendFile('\n')
  return handle
}
