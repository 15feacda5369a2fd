import type { Artifact, Artifacts } from './artifacts.ts'

/** How much of its output a tool shows; the rest is in a file. */
export const SHOWN_CHARACTERS = 30_000

/** Collects output and shows it at the end. */
export interface BoundedOutput {
  add(bytes: Uint8Array): void
  /** All of the output, or its beginning and end, and where the whole is. */
  end(): string
}

// The end is usually more informative.
const HEAD_BYTES = SHOWN_CHARACTERS / 3
const TAIL_BYTES = SHOWN_CHARACTERS - HEAD_BYTES

/** Collects output of any length in bounded memory; long output goes to an artifact. */
export function createBoundedOutput(tool: string, artifacts: Artifacts): BoundedOutput {
  let kept: Buffer[] = []
  let keptBytes = 0
  let total = 0
  let head: Buffer | null = null
  let artifact: Artifact | null = null
  const trim = (): void => {
    // Twice the tail, so that not every line copies it.
    if (keptBytes <= 2 * TAIL_BYTES) return
    const tail = Buffer.concat(kept).subarray(-TAIL_BYTES)
    kept = [Buffer.from(tail)]
    keptBytes = tail.length
  }
  return {
    add(bytes) {
      total += bytes.length
      kept.push(Buffer.from(bytes))
      keptBytes += bytes.length
      if (head !== null) artifact?.write(bytes)
      else if (total > SHOWN_CHARACTERS) {
        const all = Buffer.concat(kept)
        artifact = artifacts.create(tool)
        artifact?.write(all)
        head = Buffer.from(all.subarray(0, HEAD_BYTES))
      }
      if (head !== null) trim()
    },
    end() {
      artifact?.close()
      const all = Buffer.concat(kept)
      if (head === null) return decode(all)
      const tail = all.subarray(-TAIL_BYTES)
      return `${decode(head)}\n${noteOf(total - head.length - tail.length, artifact)}\n${decode(tail)}`
    },
  }
}

/** Bounds a complete text in the same way. */
export function boundText(text: string, tool: string, artifacts: Artifacts): string {
  if (text.length <= SHOWN_CHARACTERS && Buffer.byteLength(text) <= SHOWN_CHARACTERS) return text
  const output = createBoundedOutput(tool, artifacts)
  output.add(Buffer.from(text))
  return output.end()
}

function noteOf(leftOut: number, artifact: Artifact | null): string {
  if (artifact === null) return `[… ${leftOut} bytes are not shown and were not saved …]`
  const lost = artifact.lost()
  const whole = lost === 0 ? 'all of it' : `all but the last ${lost} bytes`
  return `[… ${leftOut} bytes are not shown; ${whole} is in ${artifact.path}, which read and grep can open …]`
}

/** Decodes bytes that may have been cut in the middle of a character. */
function decode(bytes: Buffer): string {
  let start = 0
  while (start < Math.min(3, bytes.length) && (bytes[start]! & 0xc0) === 0x80) start++
  return new TextDecoder().decode(bytes.subarray(start)).replace(/\uFFFD$/, '')
}
