import { type Appended, appendLines } from './append-lines.ts'
import type { LineQueue } from './line-queue.ts'
import type { LogFileHandle, OpenLogFile } from './log-file.ts'
import { assertOwnLog } from './own-log.ts'
import { rotateFiles } from './rotate-files.ts'

const MOST_BYTES_AT_ONCE = 1024 * 1024

export interface BatchPlace {
  readonly file: string
  readonly maxBytes: number
  readonly keep: number
  readonly open: OpenLogFile
}

/**
 * Appends the oldest lines of the queue to the file, rotating it first if they don't fit, and returns how many were
 * written. Never throws. Reopens the file each time, since it may have been moved, removed or replaced.
 */
export async function writeBatch(place: BatchPlace, queue: LineQueue): Promise<Appended> {
  const next = queue.peek(1)[0]?.length ?? 0
  const isFull = (size: number) => size > 0 && size + next > place.maxBytes
  let handle: LogFileHandle | null = null
  try {
    handle = await openWithRoom(place, isFull)
    const { size } = await handle.stat()
    // Still full because it could not be rotated: keeping lines matters more than the size.
    const room = isFull(size) ? place.maxBytes : place.maxBytes - size
    return await appendLines(handle, size, queue.peek(Math.min(room, MOST_BYTES_AT_ONCE)))
  } catch (error) {
    return { lines: 0, error }
  } finally {
    await handle?.close().catch(() => {})
  }
}

async function openWithRoom(place: BatchPlace, isFull: (size: number) => boolean): Promise<LogFileHandle> {
  const handle = await openPlainFile(place)
  const { size } = await handle.stat()
  if (!isFull(size)) return handle
  try {
    await rotateFiles(place.file, place.keep, isFull)
  } catch (error) {
    // A file that is too long is better than a lost line, up to a point.
    if (size <= 2 * place.maxBytes) return handle
    await handle.close()
    throw error
  }
  await handle.close()
  return openPlainFile(place)
}

async function openPlainFile({ file, open }: BatchPlace): Promise<LogFileHandle> {
  const handle = await open(file)
  try {
    if (!(await handle.stat()).isFile()) throw new Error('it is not a plain file')
    await assertOwnLog(file, handle)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}
