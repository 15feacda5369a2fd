import { accessSync, constants, statSync } from 'node:fs'
import { readOnlyLedger } from './ledger-file-error.ts'

/**
 * Throws `ledger_read_only` unless `path`, the ledger or its folder, may be written. One that nobody may write is left
 * alone also by a superuser, who could.
 */
export function assertWritable(path: string, file: string): void {
  const what = path === file ? 'is read-only' : `lies in a folder that is read-only (${path})`
  if ((statSync(path).mode & 0o222) === 0) throw readOnlyLedger(file, what)
  try {
    accessSync(path, constants.W_OK)
  } catch (error) {
    throw readOnlyLedger(file, what, error)
  }
}
