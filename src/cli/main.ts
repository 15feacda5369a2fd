import { CommanderError } from 'commander'
import type { GlobalFlags } from './execute-command.ts'
import { EXIT } from './exit-code.ts'
import type { Platform } from './platform.ts'
import { commandIn, splitArgs } from './split-args.ts'
import { createProgram } from './syntax/create-program.ts'
import { usageError } from './syntax/help-text.ts'

// The program decides whether the help of a command is meant.
const HELP_FLAGS = ['--help', '-h']

/** Runs one command line to its end. Never throws: returns the exit code, and errors are on stderr. */
export async function main(args: readonly string[], platform: Platform): Promise<number> {
  let exitCode: number = EXIT.done
  const { own, rest } = splitArgs(args)
  const command = commandIn(own)
  // The command after `--` may have such a flag, too; and for `exec` it names a file.
  let isJson = rest === null && own.includes('--json')
  const program = createProgram(
    async (command, work) => {
      const flags = command.optsWithGlobals<GlobalFlags>()
      isJson = flags.json === true
      // What needs the config or the ledger is loaded from here on: help and usage errors need neither.
      const { executeCommand } = await import('./execute-command.ts')
      exitCode = await executeCommand(platform, flags, rest ?? [], work)
    },
    {
      out: platform.writeOut,
      error: (text) => platform.writeError(isJson ? '' : text),
      columns: () => platform.screen().columns,
    },
    {
      hasJsonFlag: rest === null,
      hasByFlag: command !== 'report',
      only: own.some((arg) => HELP_FLAGS.includes(arg)) ? null : command,
    },
  )
  try {
    await program.parseAsync(own, { from: 'user' })
    return exitCode
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      const { complain } = await import('./output/complain.ts')
      return complain(platform, error, isJson)
    }
    if (error.exitCode === 0) return EXIT.done
    // Commander has shown it already, but not as JSON.
    if (isJson) platform.writeError(`${usageJson(error)}\n`)
    return EXIT.badUsage
  }
}

function usageJson({ code, message }: CommanderError): string {
  const text = code === 'commander.help' ? 'A command is missing.' : usageError(message)
  return JSON.stringify({ error: { code: 'bad_usage', message: text, retryable: false } })
}
