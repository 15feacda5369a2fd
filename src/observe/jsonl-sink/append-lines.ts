import type { LogFileHandle } from './log-file.ts'

const NEWLINE = 10

/** How many complete lines were appended, and why not all of them. */
export interface Appended {
  readonly lines: number
  readonly error?: unknown
}

/** Appends lines in one write. Never throws; if the disk fills up half-way, the partial line is removed. */
export async function appendLines(handle: LogFileHandle, size: number, lines: readonly Buffer[]): Promise<Appended> {
  let written = 0
  let start = size
  try {
    if (!(await endsInNewline(handle, size))) start += (await handle.write(Buffer.of(NEWLINE))).bytesWritten
    const data = Buffer.concat(lines)
    // A write may be partial.
    while (written < data.length) {
      const { bytesWritten } = await handle.write(data.subarray(written))
      if (bytesWritten === 0) throw new Error('Nothing more can be written to the file.')
      written += bytesWritten
    }
    return { lines: lines.length }
  } catch (error) {
    const whole = wholeLines(lines, written)
    await removePartialLine(handle, start + written, start + whole.bytes)
    return { lines: whole.count, error }
  }
}

// Our first line must not be joined to an incomplete one of another process.
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

// Only if it is the end of the file: another process may have written after it.
async function removePartialLine(handle: LogFileHandle, end: number, wholeEnd: number): Promise<void> {
  if (end === wholeEnd) return
  try {
    if ((await handle.stat()).size === end) await handle.truncate(wholeEnd)
  } catch {
    // The partial line stays, and the next append begins on a new line.
  }
}
