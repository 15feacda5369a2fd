import { main } from './main.ts'
import { createProcessPlatform } from './process-platform.ts'

/** The command line as a process. */
export async function start(args: readonly string[]): Promise<void> {
  // The reader of our output may stop reading (`stint status | head -1`): that is not a failure.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit())

  silenceSqliteWarning()

  // Of the AI SDK, which would write its warnings about a provider into the answer of an agent.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

  // What is written to a pipe may not have left yet: the process ends by itself when it has.
  process.exitCode = await main(args, createProcessPlatform())
}

/**
 * Node 22 says of its SQLite that it is experimental, on stderr, at every start: there it would be between the lines of
 * a program that is run. Whether a ledger is safe with it is decided by its version, when the ledger is opened.
 */
function silenceSqliteWarning(): void {
  const emitWarning = process.emitWarning.bind(process) as (...args: unknown[]) => void
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (rest[0] !== 'ExperimentalWarning' || !String(warning).startsWith('SQLite ')) emitWarning(warning, ...rest)
  }
}
