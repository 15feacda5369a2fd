import { accessSync, constants, statSync } from 'node:fs'
import { readOnlyLedger } from './ledger-file-error.ts'

/**
 * Throws `ledger_read_only` unless `path`, the ledger or its folder, is writable. A path without any write permission
 * is left alone even by a superuser, who could write it.
 */
export function assertWritable(path: string, file: string): void {
  const what = path === file ? 'is read-only' : `is in a read-only folder (${path})`
  if ((statSync(path).mode & 0o222) === 0) throw readOnlyLedger(file, what)
  try {
    accessSync(path, constants.W_OK)
  } catch (error) {
    throw readOnlyLedger(file, what, error)
  }
}
