import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { codeOf, messageOf } from '../../../../core/checks/thrown.ts'
import { makeFolder } from '../../../../system/index.ts'
import { highWaterFileOf } from './high-water-file.ts'
import { inaccessibleLedger, missingLedger } from './ledger-file-error.ts'

/** Where the ledger is, with links resolved; `stats` is `null` if it may be created. */
export interface FoundLedger {
  readonly file: string
  readonly stats: Stats | null
}

/**
 * Finds the file without touching it. Throws `LedgerFileError` if there can't be one, or if there was one and it is
 * gone.
 */
export function findLedgerFile(name: string, { createFolder }: { readonly createFolder: boolean }): FoundLedger {
  const file = resolve(name)
  if (createFolder) makeFolderOf(file)
  const folder = realFolder(file)
  const isLink = statsOf(join(folder, basename(file)), lstatSync)?.isSymbolicLink() ?? false
  if (isLink) return linkedLedger(file)

  const real = join(folder, basename(file))
  // The companion first: it is created after its ledger, so this order never reports a new ledger as lost.
  const hadLedger = statsOf(highWaterFileOf(real), lstatSync) !== null
  const stats = statsOf(real, statSync)
  if (stats !== null) return { file: real, stats: assertFile(real, stats) }
  if (hadLedger) throw lostLedger(real)
  return { file: real, stats: null }
}

function lostLedger(file: string): Error {
  const companion = highWaterFileOf(file)
  const remedy = `Restore it from a copy, or remove ${companion} too to start a new ledger with nothing spent.`
  return missingLedger(file, `is missing, but ${companion} shows that it existed`, remedy)
}

function makeFolderOf(file: string): void {
  try {
    makeFolder(dirname(file))
  } catch (error) {
    throw inaccessible(file, error, `Make the folder ${dirname(file)} yourself, or use another ledger.`)
  }
}

function realFolder(file: string): string {
  const folder = dirname(file)
  try {
    return realpathSync(folder)
  } catch (error) {
    throw inaccessible(file, error, `The folder ${folder} must exist: create it, or use another ledger.`)
  }
}

function linkedLedger(file: string): FoundLedger {
  let real: string
  try {
    real = realpathSync(file)
  } catch (error) {
    if (codeOf(error) === 'ENOENT')
      throw missingLedger(file, 'is a link to a missing file', 'Fix the link or remove it.')
    throw inaccessible(file, error, 'Fix the link, or use the path of the file itself.')
  }
  return { file: real, stats: assertFile(real, statSync(real)) }
}

function statsOf(file: string, look: (file: string) => Stats): Stats | null {
  try {
    return look(file)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw inaccessible(file, error, 'Give the user of this process permission to read it, or use another ledger.')
  }
}

function assertFile(file: string, stats: Stats): Stats {
  if (stats.isFile()) return stats
  const what = stats.isDirectory() ? 'a folder' : 'not a regular file'
  throw inaccessibleLedger(file, `is ${what}`, 'Name a file, e.g. ledger.db in that folder.')
}

function inaccessible(file: string, error: unknown, remedy: string): Error {
  return inaccessibleLedger(file, `cannot be reached (${messageOf(error)})`, remedy, error)
}
