import { CommanderError } from 'commander'
import type { LedgerStore } from '../core/index.ts'
import type { CommandContext } from './command-context.ts'
import type { Config } from './config/config.ts'
import { loadConfig } from './config/load-config.ts'
import { createProgram } from './create-program.ts'
import { EXIT, exitCodeOf } from './exit-code.ts'
import { openStore } from './open-store.ts'
import { errorJson, errorText } from './output/error-text.ts'
import { createPaint } from './output/paint.ts'
import type { Report } from './output/report.ts'
import type { Platform } from './platform.ts'
import { splitArgs } from './split-args.ts'

interface GlobalFlags {
  readonly store?: string
  readonly config?: string
  readonly by?: string
  /** The file of `exec` is a text. */
  readonly json?: boolean | string
  readonly color: boolean
}

/** Runs one command line to its end. Never throws: returns the exit code, and errors are on stderr. */
export async function main(args: readonly string[], platform: Platform): Promise<number> {
  let exitCode: number = EXIT.done
  const { own, rest } = splitArgs(args)
  // The command that stands behind `--` may have such a flag, too; and of `exec` it names a file.
  let isJson = rest === null && own.includes('--json')
  const program = createProgram(
    async (command, work) => {
      const flags = command.optsWithGlobals<GlobalFlags>()
      isJson = flags.json === true
      exitCode = await answer(platform, flags, rest ?? [], work)
    },
    { out: platform.writeOut, error: (text) => platform.writeError(isJson ? '' : text) },
    { hasJsonFlag: rest === null },
  )
  try {
    await program.parseAsync(own, { from: 'user' })
    return exitCode
  } catch (error) {
    complain(platform, error, isJson)
    return exitCodeOf(error)
  }
}

async function answer(
  platform: Platform,
  flags: GlobalFlags,
  rest: readonly string[],
  work: (context: CommandContext) => Promise<Report>,
): Promise<number> {
  const opened: LedgerStore[] = []
  try {
    const { json, text, notices = [], exitCode = EXIT.done } = await work(createContext(platform, flags, rest, opened))
    if (flags.json === true) platform.writeOut(json === null ? '' : `${JSON.stringify(json, null, 2)}\n`)
    else if (text !== null) platform.writeOut(`${text}\n`)
    for (const notice of notices) platform.writeError(`stint: ${notice}\n`)
    return exitCode
  } finally {
    for (const store of opened) await store.dispose()
  }
}

function createContext(
  platform: Platform,
  flags: GlobalFlags,
  rest: readonly string[],
  opened: LedgerStore[],
): CommandContext {
  let config: Config | null = null
  const readConfig = (): Config => {
    config ??= loadConfig(platform, flags)
    return config
  }
  return {
    platform,
    paint: createPaint({ isTerminal: platform.isTerminal, env: platform.env, color: flags.color }),
    errorPaint: createPaint({ isTerminal: platform.terminals.error, env: platform.env, color: flags.color }),
    by: flags.by ?? platform.userName,
    rest,
    config: readConfig,
    async store({ create = false } = {}) {
      const store = await openStore(platform, readConfig(), create)
      opened.push(store)
      return store
    },
  }
}

function complain(platform: Platform, error: unknown, isJson: boolean): void {
  if (error instanceof CommanderError) {
    // Commander has said it already, but not in JSON.
    if (isJson && error.exitCode !== 0) platform.writeError(`${usageJson(error)}\n`)
    return
  }
  platform.writeError(`${isJson ? errorJson(error) : errorText(error)}\n`)
  if (platform.env.STINT_DEBUG === '1' && error instanceof Error) platform.writeError(`${error.stack}\n`)
}

function usageJson({ code, message }: CommanderError): string {
  const text = code === 'commander.help' ? 'A command is missing.' : message.replace(/^error: /, '')
  return JSON.stringify({ error: { code: 'bad_usage', message: text, retryable: false } })
}
