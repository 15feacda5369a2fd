import { homedir, hostname } from 'node:os'
import { isatty } from 'node:tty'
import { nameOfUser } from '../system/about-process.ts'
import { isHolderAlive } from '../system/holders/is-holder-alive.ts'
import { createLedgerFiles } from './ledger/create-ledger-files.ts'
import type { Platform } from './platform.ts'
import { startDetached } from './start-detached.ts'

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const
const ENDING_SIGNALS = [...STOP_SIGNALS, 'SIGHUP', 'SIGQUIT'] as const
// By default they would end it, too, or open a debugger. Windows has none of them.
const OTHER_SIGNALS = process.platform === 'win32' ? [] : (['SIGUSR1', 'SIGUSR2'] as const)

/** The machine as this process sees it. */
export function createProcessPlatform(): Platform {
  return {
    env: process.env,
    workingFolder: process.cwd(),
    homeFolder: homedir(),
    userName: nameOfUser(),
    hostName: hostname(),
    nodeVersion: process.versions.node,
    isTerminal: process.stdout.isTTY === true,
    terminals: { input: isatty(0), output: isatty(1), error: isatty(2) },
    ledgerFiles: createLedgerFiles(),
    async startGateway(options) {
      const { startGateway } = await import('../gateway/index.ts')
      return startGateway(options)
    },
    onStop(listener) {
      for (const signal of STOP_SIGNALS) process.on(signal, listener)
      // Both the terminal and its shell report that it is closed: that counts once.
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
    async readInput() {
      const { readStandardInput } = await import('./read-standard-input.ts')
      return readStandardInput()
    },
    async confirm(question) {
      const { askAtTerminal } = await import('./ask-at-terminal.ts')
      return askAtTerminal(question)
    },
    screen() {
      const { columns, rows } = process.stdout.isTTY ? process.stdout : process.stderr
      // A terminal without a size reports 0.
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
    outliveSignals(onStop) {
      for (const signal of ENDING_SIGNALS) process.on(signal, onStop)
      for (const signal of OTHER_SIGNALS) process.on(signal, () => {})
      // Node removes its handlers before it exits, and a signal in that moment would still kill it.
      process.once('exit', (exitCode) => process.exit(exitCode))
    },
    nowMs: Date.now,
    writeOut: (text) => void process.stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
    isHolderAlive,
  }
}
