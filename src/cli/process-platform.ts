import { homedir, userInfo } from 'node:os'
import { isHolderAlive } from '../system/index.ts'
import { createSqliteLedgerFiles } from './ledger/sqlite-ledger-files.ts'
import type { Platform } from './platform.ts'

/** The machine as this process sees it. */
export function createProcessPlatform(): Platform {
  return {
    env: process.env,
    workingFolder: process.cwd(),
    homeFolder: homedir(),
    userName: nameOfUser(),
    nodeVersion: process.versions.node,
    isTerminal: process.stdout.isTTY === true,
    ledgerFiles: createSqliteLedgerFiles(),
    nowMs: Date.now,
    writeOut: (text) => void process.stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
    isHolderAlive,
  }
}

function nameOfUser(): string {
  try {
    return userInfo().username
  } catch {
    // In a container the user may have no name.
    return process.getuid === undefined ? 'unknown' : `uid ${process.getuid()}`
  }
}
