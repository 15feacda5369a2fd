import type { LogFileHandle } from './log-file.ts'

const NEWLINE = 10

/** What came of an append: how many lines are in the file, whole, and why not all. */
export interface Appended {
  readonly lines: number
  readonly error?: unknown
}

/** Appends whole lines in one write. Never throws; where the disk fills up half-way, the torn line is taken back. */
export async function appendLines(handle: LogFileHandle, size: number, lines: readonly Buffer[]): Promise<Appended> {
  let written = 0
  let start = size
  try {
    if (!(await endsInNewline(handle, size))) start += (await handle.write(Buffer.of(NEWLINE))).bytesWritten
    const data = Buffer.concat(lines)
    // A write may be short; each further one either writes something or fails.
    while (written < data.length) {
      const { bytesWritten } = await handle.write(data.subarray(written))
      if (bytesWritten === 0) throw new Error('The file takes no more.')
      written += bytesWritten
    }
    return { lines: lines.length }
  } catch (error) {
    const whole = wholeLines(lines, written)
    await takeBackTornLine(handle, start + written, start + whole.bytes)
    return { lines: whole.count, error }
  }
}

// A line that somebody else left unfinished must not swallow the first of ours.
async function endsInNewline(handle: LogFileHandle, size: number): Promise<boolean> {
  if (size === 0) return true
  const last = Buffer.of(NEWLINE)
  await handle.read(last, 0, 1, size - 1)
  return last[0] === NEWLINE
}

function wholeLines(lines: readonly Buffer[], written: number): { readonly count: number; readonly bytes: number } {
  let bytes = 0
  let count = 0
  for (const line of lines) {
    if (bytes + line.length > written) break
    bytes += line.length
    count++
  }
  return { count, bytes }
}

// Only if ours is the end of the file: another process may have written behind it.
async function takeBackTornLine(handle: LogFileHandle, end: number, wholeEnd: number): Promise<void> {
  if (end === wholeEnd) return
  try {
    if ((await handle.stat()).size === end) await handle.truncate(wholeEnd)
  } catch {
    // It stays torn, and the next append begins on a line of its own.
  }
}
