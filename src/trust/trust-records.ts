import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isPlainObject } from '../core/index.ts'
import { makeFolder, syncFolder } from '../system/index.ts'
import { writeWhole } from '../system/write-whole.ts'
import { factFrom, type TrustFact } from './trust-fact.ts'

/** What a user has trusted a folder with. */
export interface TrustRecord {
  /** With links resolved. */
  readonly folder: string
  readonly by: string
  readonly trustedAtMs: number
  readonly facts: readonly TrustFact[]
}

/** One file per trusted folder, in a place where only the user can write. */
export interface TrustRecords {
  /** `null` if nothing was trusted, or if the record itself is not safe to use. */
  read(folder: string): TrustRecord | null
  /** Replaces the folder's record. */
  write(record: TrustRecord): void
  /** Returns whether there was a record. */
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
    write(record) {
      const file = fileOf(record.folder)
      makeFolder(dirname(file))
      writeWhole(file, `${JSON.stringify({ format: FORMAT, ...record }, null, 2)}\n`)
      syncFolder(dirname(file))
    },
    remove(folder) {
      const file = fileOf(folder)
      const isThere = recordFrom(textOf(file), folder) !== null
      rmSync(file, { force: true })
      return isThere
    },
  }
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

/** An invalid record trusts nothing. */
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
