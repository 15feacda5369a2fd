import { homedir, userInfo } from 'node:os'
import { isatty } from 'node:tty'
import { isHolderAlive } from '../system/index.ts'
import { createSqliteLedgerFiles } from './ledger/sqlite-ledger-files.ts'
import type { Platform } from './platform.ts'
import { readStandardInput } from './read-standard-input.ts'
import { startDetached } from './start-detached.ts'

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** The machine as this process sees it. */
export function createProcessPlatform(): Platform {
  return {
    env: process.env,
    workingFolder: process.cwd(),
    homeFolder: homedir(),
    userName: nameOfUser(),
    nodeVersion: process.versions.node,
    isTerminal: process.stdout.isTTY === true,
    terminals: { input: isatty(0), output: isatty(1), error: isatty(2) },
    ledgerFiles: createSqliteLedgerFiles(),
    async startGateway(options) {
      const { startGateway } = await import('../gateway/index.ts')
      return startGateway(options)
    },
    onStop(listener) {
      for (const signal of STOP_SIGNALS) process.on(signal, listener)
      // Both the terminal and its shell say that it is closed: that is not asking twice.
      let hasHungUp = false
      const hangUp = (): void => {
        if (!hasHungUp) listener()
        hasHungUp = true
      }
      process.on('SIGHUP', hangUp)
      return () => {
        for (const signal of STOP_SIGNALS) process.off(signal, listener)
        process.off('SIGHUP', hangUp)
      }
    },
    readInput: readStandardInput,
    screen() {
      const { columns, rows } = process.stdout.isTTY ? process.stdout : process.stderr
      // A terminal that nobody has given a size says 0.
      return { columns: columns || 80, rows: rows || 24 }
    },
    startDetached,
    endNow: (exitCode) => process.exit(exitCode),
    outliveOutput() {
      for (const stream of [process.stdout, process.stderr]) {
        stream.removeAllListeners('error')
        stream.on('error', () => {})
      }
    },
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
