import { main } from './main.ts'
import { createProcessPlatform } from './process-platform.ts'

/** The command line as a process. */
export async function start(args: readonly string[]): Promise<void> {
  // The reader of our output may stop reading (`stint status | head -1`): that is not a failure.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit())

  silenceSqliteWarning()

  // The AI SDK would print its warnings into the agent's answer.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

  // Output may still be in the pipe: the process ends by itself once it is written.
  process.exitCode = await main(args, createProcessPlatform())
}

/**
 * Node 22 warns on stderr at every start that its SQLite is experimental, which would mix with the output of a program
 * that we run. Whether its version is safe is checked when a ledger is opened.
 */
function silenceSqliteWarning(): void {
  const emitWarning = process.emitWarning.bind(process) as (...args: unknown[]) => void
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (rest[0] !== 'ExperimentalWarning' || !String(warning).startsWith('SQLite ')) emitWarning(warning, ...rest)
  }
}
