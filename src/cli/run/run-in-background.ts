import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { storeAddressText } from '../../config/store-address.ts'
import { printable } from '../../core/checks/printable.ts'
import { InvalidOptionError, type LedgerStore, type ScopeReading } from '../../core/index.ts'
import { logFileOf, tasksFolder } from '../../operate/tasks/task-folder.ts'
import { parseHolder } from '../../system/holders/holder.ts'
import { sleep } from '../../system/index.ts'
import type { CommandContext } from '../command-context.ts'
import type { Report } from '../output/report.ts'
import type { Detached } from '../platform.ts'

/** A detached `stint` that runs a task. */
export interface BackgroundRun {
  readonly id: string
  readonly agent: string
  /** Its command line. */
  readonly args: readonly string[]
  readonly input: string
  /** Where it works. Default: where this process does. */
  readonly folder?: string
  /** Remarks for its user at the start. */
  readonly notices?: readonly string[]
  /** Whether the task has started, from its scope; `null`: there is none yet. */
  hasBegun(scope: ScopeReading | null): boolean
}

const STORE_FLAG = '--store'
const LOOK_EVERY_MS = 100
// It may queue for a place in a budget: no reason to wait here.
const LONGEST_WAIT_MS = 30_000
const MOST_LOG_LINES = 20

/** Starts a task that outlives this process and its terminal. Returns once it has started, or could not start. */
export async function runInBackground(context: CommandContext, run: BackgroundRun): Promise<Report> {
  const { platform } = context
  const config = context.config()
  if (config.store.address.kind === 'memory') {
    throw new InvalidOptionError(
      '--background',
      'memory:',
      'used with a ledger that outlives this process: --store sqlite:PATH',
    )
  }
  const folder = join(tasksFolder(config), run.id)
  const logFile = logFileOf(folder)
  const store = await context.store({ create: true })
  // By the environment, which only this user can read. One that was not chosen by a flag is found again.
  const env = config.store.place === STORE_FLAG ? { STINT_STORE: storeAddressText(config.store.address) } : {}
  const place = run.folder === undefined ? {} : { folder: run.folder }
  const started = platform.startDetached({ args: run.args, input: run.input, logFile, env, ...place })
  const outcome = await untilBegun(context, store, run, started)
  started.letGo()
  if (outcome.kind === 'ended') {
    const text = lastLinesOf(logFile)
    platform.writeError(text === '' ? 'stint: It ended before it started, without any output.\n' : `${text}\n`)
    discardUnbegun(folder, logFile)
    return { json: null, text: null, exitCode: outcome.exitCode === 0 ? 125 : outcome.exitCode }
  }
  const { id, agent } = run
  const status = outcome.kind
  return {
    json: { id, agent, status, isBackground: true, pid: started.pid, log: logFile, folder },
    text: id,
    notices: [
      [
        `${printable(agent)} ${status === 'running' ? 'runs' : 'is queued'} in the background.`,
        `  Follow it: stint watch ${id}`,
        `  End it: stint interrupt ${id}`,
        `  Its log: ${printable(logFile)}`,
      ].join('\n'),
      ...(run.notices ?? []).map(printable),
    ],
  }
}

type Beginning = { readonly kind: 'running' | 'queued' } | { readonly kind: 'ended'; readonly exitCode: number }

async function untilBegun(
  { platform }: CommandContext,
  store: LedgerStore,
  run: BackgroundRun,
  started: Detached,
): Promise<Beginning> {
  let exitCode: number | null = null
  void started.ended.then(
    (code) => {
      exitCode = code
    },
    () => {
      exitCode = 125
    },
  )
  for (let waitedMs = 0; waitedMs < LONGEST_WAIT_MS; waitedMs += LOOK_EVERY_MS) {
    // Checked first: by then the ledger has what it wrote before it ended.
    const code: number | null = exitCode
    const path = await store.read({ scopeId: run.id, atMs: platform.nowMs() })
    const scope = path?.at(-1) ?? null
    if (run.hasBegun(scope) && !isOfAnother(scope, started)) return { kind: 'running' }
    if (code !== null) return { kind: 'ended', exitCode: code }
    await sleep(LOOK_EVERY_MS)
  }
  return { kind: 'queued' }
}

/** If two processes start a task at the same time, one wins. The other ends, and says so. */
function isOfAnother(scope: ScopeReading | null, { pid }: Detached): boolean {
  const holder = parseHolder(scope?.owner ?? '')
  return holder !== null && pid !== null && holder.pid !== pid
}

/** A task that never started leaves nothing behind. */
function discardUnbegun(folder: string, logFile: string): void {
  try {
    if (readdirSync(folder).join() === basename(logFile)) rmSync(folder, { recursive: true })
  } catch {
    // A leftover folder does no harm.
  }
}

/** The last lines of its output, which say why it ended. */
function lastLinesOf(file: string): string {
  try {
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    return lines.slice(-MOST_LOG_LINES).map(printable).join('\n')
  } catch {
    return ''
  }
}
