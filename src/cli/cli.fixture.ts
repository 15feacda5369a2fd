import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { LedgerStore, NewScope } from '../core/index.ts'
import { type LimitsInput, resolveLimits } from '../policy/index.ts'
import { createMemoryStore } from '../stores/memory/index.ts'
import type { LedgerDescription, PruneOptions, PruneReport, VerifyReport } from './ledger/ledger-files.ts'
import { main } from './main.ts'
import type { DetachedStart, Platform } from './platform.ts'

export const NOW_MS = Date.UTC(2026, 10, 16, 12)

interface Answer {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** The command line on its own machine, with a ledger that a test fills. */
export interface TestCli {
  readonly store: LedgerStore
  readonly folder: string
  readonly projectFolder: string
  readonly ledgerFile: string
  /** Files that the ledger was opened from. */
  readonly opened: string[]
  /** How the ledger was pruned. */
  readonly pruned: PruneOptions[]
  /** The detached processes that were started. */
  readonly detached: DetachedStart[]
  /** What the running command has printed so far. */
  readonly said: { readonly out: string; readonly error: string }
  /** Asks the running command to end, as INT does. */
  stop(): void
  run(...args: readonly string[]): Promise<Answer>
  /** Runs with `--json` and reads the answer. */
  json(...args: readonly string[]): Promise<Record<string, never> & { exitCode: number }>
  write(path: string, text: string): string
  /** Opens a run that `owner` runs. */
  open(scope: Partial<NewScope> & { readonly id: string }, limits?: LimitsInput, parentId?: string): Promise<void>
  /** A run that has used its 5 tool calls asks for 10 more: the request `ask-1`. */
  askForMore(scopeId: string, reason: string): Promise<void>
}

export interface TestCliOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly isHolderAlive?: (holder: string) => boolean | null
  readonly isTerminal?: boolean
  /** How wide that terminal is. Default: 80. */
  readonly columns?: number
  readonly verify?: () => VerifyReport
  readonly describe?: () => LedgerDescription
  readonly prune?: () => Partial<PruneReport>
  readonly sums?: LedgerStore['sums']
  readonly startGateway?: Platform['startGateway']
  /** The answer of the person at the terminal. Default: no terminal. */
  readonly confirms?: boolean
  /** What is on standard input. */
  readonly input?: string
  /** What happens to detached processes. Default: they keep running. */
  readonly detachedEnds?: (start: DetachedStart) => Promise<number>
  /** Whether the ledger already exists. Default: yes. */
  readonly hasLedger?: boolean
}

const PRUNED = {
  wasDue: true,
  roots: 1,
  scopes: 3,
  reservations: 41,
  entries: 1,
  events: 9,
  bytesBefore: 5000,
  bytesAfter: 5000,
}

export function createCli(options: TestCliOptions = {}): TestCli {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stint-cli-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const projectFolder = join(folder, 'project', 'deep')
  mkdirSync(projectFolder, { recursive: true })
  const ledgerFile = join(folder, 'home', '.local', 'state', 'stint', 'ledger.db')
  const write = (path: string, text: string): string => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, text)
    return file
  }
  if (options.hasLedger !== false) write('home/.local/state/stint/ledger.db', '')
  const store = createMemoryStore()
  const opened: string[] = []
  const pruned: PruneOptions[] = []
  const detached: DetachedStart[] = []
  const said = { out: '', error: '' }
  const stopListeners = new Set<() => void>()
  const description = { journalMode: 'wal', sqliteVersion: '3.51.3', sizeBytes: 4096, entries: 7, highWater: 7 }
  const platform: Platform = {
    env: options.env ?? {},
    workingFolder: projectFolder,
    homeFolder: join(folder, 'home'),
    userName: 'ann',
    hostName: 'ann-laptop',
    nodeVersion: '24.21.0',
    isTerminal: options.isTerminal ?? false,
    terminals: {
      input: options.confirms !== undefined,
      output: options.isTerminal ?? false,
      error: options.confirms !== undefined,
    },
    startGateway: options.startGateway ?? (() => Promise.reject(new Error('no gateway was expected here'))),
    ledgerFiles: {
      async open(file) {
        opened.push(file)
        const { sums = store.sums } = options
        return { ...store, sums, dispose: async () => {} }
      },
      verify: async () => options.verify?.() ?? { ok: true, entries: 7, scopes: 2, problems: [] },
      describe: async () => options.describe?.() ?? description,
      async prune(_, how) {
        pruned.push(how)
        return { ...PRUNED, beforeMs: how.beforeMs, ...options.prune?.() }
      },
    },
    onStop(listener) {
      stopListeners.add(listener)
      return () => stopListeners.delete(listener)
    },
    readInput: async () => options.input ?? '',
    async confirm(question) {
      said.error += question
      return options.confirms === true
    },
    screen: () => ({ columns: options.columns ?? 80, rows: 24 }),
    startDetached(start) {
      detached.push(start)
      return { pid: 4711, ended: options.detachedEnds?.(start) ?? new Promise(() => {}), letGo: () => {} }
    },
    endNow: (exitCode) => {
      throw new Error(`ended at once with ${exitCode}`)
    },
    outliveOutput: () => {},
    outliveSignals: (onStop) => void stopListeners.add(onStop),
    nowMs: () => NOW_MS,
    writeOut: (text) => {
      said.out += text
    },
    writeError: (text) => {
      said.error += text
    },
    isHolderAlive: options.isHolderAlive ?? (() => true),
  }
  const askForMore = async (scopeId: string, reason: string): Promise<void> => {
    const ask = { key: `${scopeId} toolCalls`, settled: 5, asked: 10, reason }
    await store.ask({ requestId: 'ask-1', scopeId, ...ask, expiresAtMs: NOW_MS + 1_800_000, atMs: NOW_MS })
  }
  const run = async (...args: readonly string[]): Promise<Answer> => {
    said.out = ''
    said.error = ''
    const exitCode = await main(args, platform)
    return { exitCode, stdout: said.out, stderr: said.error }
  }
  return {
    store,
    folder,
    projectFolder,
    ledgerFile,
    opened,
    pruned,
    detached,
    said,
    stop: () => {
      for (const listener of [...stopListeners]) listener()
    },
    run,
    async json(...args) {
      const { exitCode, stdout } = await run(...args, '--json')
      return { ...JSON.parse(stdout), exitCode }
    },
    write,
    askForMore,
    async open(scope, limits = {}, parentId) {
      const resolved = resolveLimits([{ layer: 'call', call: 'governor.open', field: 'limits', limits }])
      const plain = { name: scope.id, kind: 'agent', owner: 'holder-1', limits: resolved.limits } as const
      const outcome = await store.open({ parentId: parentId ?? null, scopes: [{ ...plain, ...scope }], atMs: NOW_MS })
      if (outcome.kind !== 'opened') throw new Error(`${scope.id} was not opened: ${outcome.kind}`)
    },
  }
}
