import type { Config } from '../config/config.ts'
import { prepareConfig } from '../config/prepare-config.ts'
import type { LedgerStore } from '../core/index.ts'
import type { CommandContext } from './command-context.ts'
import { EXIT } from './exit-code.ts'
import { openStore } from './open-store.ts'
import { complain } from './output/complain.ts'
import { createPaint } from './output/paint.ts'
import type { Report } from './output/report.ts'
import type { Platform } from './platform.ts'
import { leftOutOfConfig, sayLeftOut } from './trust/left-out.ts'

/** The flags of every command. */
export interface GlobalFlags {
  readonly store?: string
  readonly config?: string
  readonly trust?: boolean
  readonly by?: string
  /** For `exec` it is a file name. */
  readonly json?: boolean | string
  readonly color: boolean
}

/** Runs a command, and prints its report or its error. Never throws: returns the exit code. */
export async function executeCommand(
  platform: Platform,
  flags: GlobalFlags,
  rest: readonly string[],
  work: (context: CommandContext) => Promise<Report>,
): Promise<number> {
  try {
    return await answer(platform, flags, rest, work)
  } catch (error) {
    return complain(platform, error, flags.json === true)
  }
}

async function answer(
  platform: Platform,
  flags: GlobalFlags,
  rest: readonly string[],
  work: (context: CommandContext) => Promise<Report>,
): Promise<number> {
  const opened: LedgerStore[] = []
  // The configs of ledgers that were opened to work in them.
  const works = new Set<Config>()
  try {
    const isInsideRun = await isAskedFromInside(platform, flags)
    const config = await prepareConfig(platform, flags, { isInsideRun })
    const context = createContext(platform, flags, rest, config, { opened, works })
    const { json, text, notices = [], exitCode = EXIT.done } = await work(context)
    if (flags.json !== true) platform.writeOut(text === null ? '' : `${typeof text === 'string' ? text : text()}\n`)
    else if (json !== null)
      platform.writeOut(`${JSON.stringify(typeof json === 'function' ? json() : json, null, 2)}\n`)
    for (const notice of notices) platform.writeError(`stint: ${notice}\n`)
    return exitCode
  } finally {
    for (const store of opened) await store.dispose()
    if (works.size > 0) await keepWithinBounds(platform, works)
  }
}

/** Only after commands that write, so that reading stays fast. Inside a run, the enclosing run does it. */
async function keepWithinBounds(platform: Platform, configs: ReadonlySet<Config>): Promise<void> {
  if (platform.env.STINT_SCOPE !== undefined || platform.env.STINT_RUN !== undefined) return
  const { applyRetention } = await import('./ledger/retention.ts')
  for (const config of configs) await applyRetention(platform, config)
}

/** Looked up only when needed: a file that an agent names is trusted no more than one that it wrote. */
async function isAskedFromInside(platform: Platform, { config, trust }: GlobalFlags): Promise<boolean> {
  if (config === undefined && trust !== true) return false
  const { isInsideRun, refuseInsideRun } = await import('./trust/inside-run.ts')
  if (trust === true) await refuseInsideRun(platform, '--trust')
  return isInsideRun(platform)
}

function createContext(
  platform: Platform,
  flags: GlobalFlags,
  rest: readonly string[],
  config: () => Config,
  { opened, works }: { readonly opened: LedgerStore[]; readonly works: Set<Config> },
): CommandContext {
  const by = flags.by ?? platform.userName
  const { nowMs, isHolderAlive } = platform
  const context: CommandContext = {
    platform,
    paint: createPaint({ isTerminal: platform.isTerminal, env: platform.env, color: flags.color }),
    errorPaint: createPaint({ isTerminal: platform.terminals.error, env: platform.env, color: flags.color }),
    width: platform.isTerminal ? platform.screen().columns : Number.POSITIVE_INFINITY,
    isJson: flags.json === true,
    by,
    rest,
    config,
    async store({ create = false, address } = {}) {
      sayLeftOut(context, leftOutOfConfig(context, ['store']))
      const store = await openStore(platform, config(), create, address)
      opened.push(store)
      if (create && address === undefined) works.add(config())
      return store
    },
    operator: async (options) => ({ store: await context.store(options), by, nowMs, isHolderAlive }),
  }
  return context
}
