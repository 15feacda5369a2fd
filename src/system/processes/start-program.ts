import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import type { Clock } from '../../core/index.ts'
import { endProcesses } from './end-processes.ts'
import { createRunFinder, identityOf } from './find-run-processes.ts'
import type { ProcessEntry, ProcessTable } from './process-table.ts'

/** How to start a program. */
export interface ProgramSpec {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly workingFolder: string
  readonly stdio: StdioOptions
  /** The id that its processes carry in their environment (`RUN_VARIABLE`). */
  readonly runId: string
  /** Whether it leads a session and a group of its own. Without one, the terminal's signals reach it directly. */
  readonly leadsGroup: boolean
  /** No process that is older than ours carries the id. */
  readonly beganWithUs?: boolean
}

/** How a program ended. */
export interface ProgramEnd {
  /** `null` if a signal ended it, or it could not be started. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Why it could not be started. */
  readonly error: NodeJS.ErrnoException | null
}

/** A running program and everything it starts. */
export interface Program {
  /** `null` if it could not be started at all: `error` says why. */
  readonly child: ChildProcess | null
  readonly error: Error | null
  readonly pid: number | null
  /** Resolves when the program itself has ended; what it left behind may still run. Never rejects. */
  readonly ended: Promise<ProgramEnd>
  /** Passes a signal on to the program, and to its group if it leads one. Never throws. */
  signal(signal: NodeJS.Signals): void
  /** Its processes that are still running. */
  processes(): readonly ProcessEntry[]
  /** Ends the whole tree within the grace; resolves with those that even SIGKILL did not end. */
  end(graceMs: number, from?: 'SIGINT' | 'SIGTERM'): Promise<readonly ProcessEntry[]>
}

/** Windows has neither groups nor sessions. */
export const HAS_GROUPS = process.platform !== 'win32'

/** Starts a program so that it can be ended together with everything it starts. Never throws. */
export function startProgram(spec: ProgramSpec, table: ProcessTable, clock: Clock): Program {
  const leadsGroup = spec.leadsGroup && HAS_GROUPS
  const child = spawnOr(spec, leadsGroup)
  if (child instanceof Error) return neverStarted(child)
  const pid = child.pid ?? null
  const { runId, beganWithUs = false } = spec
  const find =
    pid === null ? () => [] : createRunFinder(table, { pid, runId, leadsGroup, ownPid: process.pid, beganWithUs })
  return {
    child,
    error: null,
    pid,
    ended: endOf(child),
    signal(signal) {
      if (pid !== null && !hasEnded(child)) kill(leadsGroup ? -pid : pid, signal)
    },
    processes: find,
    async end(graceMs, from = 'SIGINT') {
      const send = (entry: ProcessEntry, signal: NodeJS.Signals) => signalProcess(table, entry, signal)
      const left = await endProcesses({ find, send, clock, graceMs, from })
      // If processes cannot be listed, end at least the program itself.
      if (!hasEnded(child)) child.kill('SIGKILL')
      return left
    },
  }
}

/** Sends a signal to a process that was found before, unless its pid belongs to another by now. Never throws. */
export function signalProcess(table: ProcessTable, entry: ProcessEntry, signal: NodeJS.Signals): void {
  const now = table.look(entry.pid)
  if (now !== null && identityOf(now) === identityOf(entry)) kill(entry.pid, signal)
}

/** Some errors are thrown (arguments too long, part of the path is not a folder), others are emitted later. */
function spawnOr({ command, args, env, workingFolder, stdio }: ProgramSpec, detached: boolean): ChildProcess | Error {
  try {
    return spawn(command, [...args], { cwd: workingFolder, env: { ...env }, stdio, detached })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function neverStarted(error: Error): Program {
  return {
    child: null,
    error,
    pid: null,
    ended: Promise.resolve({ code: null, signal: null, error }),
    signal() {},
    processes: () => [],
    end: async () => [],
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

function endOf(child: ChildProcess): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      // A signal that could not be sent is also reported as an error, but ends nothing.
      if (child.pid === undefined) resolve({ code: null, signal: null, error })
    })
    child.once('exit', (code, signal) => resolve({ code, signal, error: null }))
  })
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has already ended.
  }
}
