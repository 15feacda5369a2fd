import { findAgents } from '../../agents/index.ts'
import { userConfigFiles } from '../../config/find-config-files.ts'
import type { StoreAddress } from '../../config/store-address.ts'
import type { LedgerStore } from '../../core/index.ts'
import type { Governor, Scope } from '../../governor/index.ts'
import { tasksFolder } from '../../operate/tasks/task-folder.ts'
import { createRunner, type Runner } from '../../runner/index.ts'
import { aboutHere } from '../about-here.ts'
import type { CommandContext } from '../command-context.ts'
import { configuredKeys } from '../exec/exec-upstreams.ts'
import { followAsks } from '../on-ask/follow-asks.ts'
import { openGovernor } from '../open-governor.ts'
import { openMcpServers } from '../open-mcp-servers.ts'
import { openModels } from '../open-models.ts'
import { worktreeFolder } from '../worktree-folder.ts'
import { accessThrough, enclosingRun, ledgerOf, scopeAround } from './enclosing-run.ts'

/** A runner over the ledger of the config. */
export interface OpenedRunner {
  readonly runner: Runner
  readonly governor: Governor
  readonly store: LedgerStore
  /** The run that this process was started in; `null` if there is none. */
  readonly around: Scope | null
  close(): Promise<void>
}

export interface RunnerCall {
  /** Replaces the provider's own address. */
  readonly baseUrl: string | null
  /** Where the agent works. */
  readonly workingFolder: string
}

/**
 * Wires the runner: the ledger and a governor, the models and agents of the config, the tasks folder. Inside another
 * run, the ledger, prices and provider addresses are that run's.
 */
export async function openRunner(context: CommandContext, call: RunnerCall): Promise<OpenedRunner> {
  const { platform } = context
  const { homeFolder } = platform
  const { baseUrl, workingFolder } = call
  const config = context.config()
  const enclosing = await enclosingRun(context, baseUrl)
  const models = openModels(
    context,
    { ...(baseUrl === null ? {} : { baseUrl }), workingFolder },
    enclosing === null ? undefined : accessThrough(enclosing, platform.env, config.providers),
  )
  const store = await context.store({ create: true, ...(enclosing === null ? {} : { address: ledgerOf(enclosing) }) })
  const { prices } = enclosing ?? config
  const governing = openGovernor({ ...config, prices }, store, { isHolderAlive: platform.isHolderAlive })
  const { governor } = governing
  const asks = followAsks(context, governor, keyVariables(context))
  const close = async (): Promise<void> => {
    await asks.close()
    await governing.close()
  }
  const around = enclosing === null ? null : await scopeAround(governor, enclosing).catch(closing(close))
  const runner = createRunner({
    governor,
    models,
    taskFolder: tasksFolder(config),
    worktreeFolder: worktreeFolder(config.homeFolder),
    env: platform.env,
    aboutRun: (task) => ({ ...aboutHere(context, { task }), folder: workingFolder }),
    furtherKeys: keyVariables(context),
    // Without a terminal no user sees a question: it is answered later.
    waitsForAnswer: platform.terminals.error,
    openPlace: async (scope) => {
      const { openRunPlace } = await import('./open-run-place.ts')
      return openRunPlace(context, { governor, scope, enclosing, baseUrl })
    },
    ...openMcpServers(context),
    findAgents: (folder) =>
      findAgents({ workingFolder: folder, homeFolder, overrides: config.agents, trust: config.trust }),
    // Tools must not read the ledger, but may read the artifacts of their own task in that folder.
    hiddenPaths: [config.homeFolder, ...ledgerFiles(enclosing === null ? config.store.address : ledgerOf(enclosing))],
    // The user's config even if it does not exist yet: one created by a tool would be fully trusted.
    protectedPaths: [...config.files.map(({ file }) => file), ...userConfigFiles(platform.env, homeFolder)],
  })
  return { runner, governor, store, around, close }
}

/** Closes what was opened if a later step fails. */
function closing(close: () => Promise<void>): (error: unknown) => Promise<never> {
  return async (error) => {
    await close()
    throw error
  }
}

// Next to the database are its write-ahead log, its shared memory, and its high-water mark.
const COMPANIONS = ['', '-wal', '-shm', '-journal', '.high-water'] as const

/** The ledger may be anywhere, even in the folder that an agent works in. */
function ledgerFiles(address: StoreAddress): readonly string[] {
  return address.kind === 'sqlite' ? COMPANIONS.map((suffix) => `${address.file}${suffix}`) : []
}

/** The variables in which the config looks for keys: withheld from tools like any other key. */
function keyVariables(context: CommandContext): readonly string[] {
  const ofProviders = [...context.config().providers.values()].flatMap(({ apiKeyEnv }) => apiKeyEnv ?? [])
  return [...configuredKeys(context), ...ofProviders]
}
