import { closeSync, constants, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../../core/checks/thrown.ts'

/** A file for output that is too long to show. */
export interface Artifact {
  /** Absolute, for `read`. */
  readonly path: string
  /** Appends, up to a bound. Never throws: what cannot be written is lost and counted. */
  write(bytes: Uint8Array): void
  /** How many bytes were lost. */
  lost(): number
  close(): void
}

/** The files for the output of one run's tools. */
export interface Artifacts {
  /** A new file for output of this tool; `null` if it cannot be created. */
  create(tool: string): Artifact | null
}

const MOST_BYTES = 16 * 1024 * 1024
const MOST_FILES = 10_000
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

export function createArtifacts(folder: string): Artifacts {
  let number = 0
  const open = (tool: string): { readonly path: string; readonly descriptor: number } | null => {
    // A resumed run finds the files from before.
    while (number < MOST_FILES) {
      const path = join(folder, `${tool.replaceAll(/[^\w-]/g, '_')}-${++number}.txt`)
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        return { path, descriptor: openSync(path, NEW_FILE, 0o600) }
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') return null
      }
    }
    return null
  }
  return {
    create(tool) {
      const file = open(tool)
      return file === null ? null : artifactOf(file.path, file.descriptor)
    },
  }
}

function artifactOf(path: string, descriptor: number): Artifact {
  let written = 0
  let lost = 0
  let isClosed = false
  return {
    path,
    write(bytes) {
      const part = isClosed ? bytes.subarray(0, 0) : bytes.subarray(0, Math.max(0, MOST_BYTES - written))
      lost += bytes.length - part.length
      if (part.length === 0) return
      try {
        written += writeSync(descriptor, part)
      } catch {
        lost += part.length
      }
    },
    lost: () => lost,
    close() {
      if (isClosed) return
      isClosed = true
      closeSync(descriptor)
    },
  }
}
