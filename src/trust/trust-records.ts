import { createHash, randomUUID } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isPlainObject } from '../core/index.ts'
import { makeFolder, syncFolder } from '../system/index.ts'
import { factFrom, type TrustFact } from './trust-fact.ts'

/** What a person has trusted a folder with. */
export interface TrustRecord {
  /** Without links. */
  readonly folder: string
  readonly by: string
  readonly trustedAtMs: number
  readonly facts: readonly TrustFact[]
}

/** What was trusted, one file for each folder, where only the user can write. */
export interface TrustRecords {
  /** `null` where nothing was trusted, or what is there cannot be believed itself. */
  read(folder: string): TrustRecord | null
  /** Replaces what was trusted before, as a whole. */
  write(record: TrustRecord): void
  /** Whether there was anything to forget. */
  remove(folder: string): boolean
}

const FORMAT = 'stint-trust/1'
const LARGEST_BYTES = 16 * 1024 * 1024
const OTHERS_MAY_WRITE = 0o022

export function createTrustRecords(homeFolder: string): TrustRecords {
  const fileOf = (folder: string): string =>
    join(homeFolder, 'trust', `${createHash('sha256').update(folder).digest('hex').slice(0, 32)}.json`)
  return {
    read: (folder) => recordFrom(textOf(fileOf(folder)), folder),
    write: (record) => writeWhole(fileOf(record.folder), `${JSON.stringify({ format: FORMAT, ...record }, null, 2)}\n`),
    remove(folder) {
      const file = fileOf(folder)
      const isThere = recordFrom(textOf(file), folder) !== null
      rmSync(file, { force: true })
      return isThere
    },
  }
}

/** A reader sees the old record or the new one, also after a crash in the middle. */
function writeWhole(file: string, text: string): void {
  makeFolder(dirname(file))
  const next = `${file}.${randomUUID()}.tmp`
  try {
    writeFileSync(next, text, { mode: 0o600, flag: 'wx', flush: true })
    renameSync(next, file)
  } finally {
    rmSync(next, { force: true })
  }
  syncFolder(dirname(file))
}

/** The text of a file that belongs to this user and that others cannot write. */
function textOf(file: string): string | null {
  let descriptor: number | null = null
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    const status = fstatSync(descriptor)
    const self = process.getuid?.()
    // Windows has neither.
    const isOurs = self === undefined || (status.uid === self && (status.mode & OTHERS_MAY_WRITE) === 0)
    return status.isFile() && isOurs && status.size <= LARGEST_BYTES ? readFileSync(descriptor, 'utf8') : null
  } catch {
    return null
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
}

/** A record that cannot be read whole trusts nothing. */
function recordFrom(text: string | null, folder: string): TrustRecord | null {
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text)
    if (!isPlainObject(value) || value.format !== FORMAT || value.folder !== folder) return null
    const { by, trustedAtMs, facts } = value
    if (typeof by !== 'string' || typeof trustedAtMs !== 'number' || !Array.isArray(facts)) return null
    const read = facts.map(factFrom)
    return read.includes(null) ? null : { folder, by, trustedAtMs, facts: read as readonly TrustFact[] }
  } catch {
    return null
  }
}
