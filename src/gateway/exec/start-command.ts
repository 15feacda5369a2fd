import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import type { Clock } from '../../core/index.ts'
import { endProcesses } from '../../system/processes/end-processes.ts'
import { createRunFinder, identityOf } from '../../system/processes/find-run-processes.ts'
import type { ProcessEntry, ProcessTable } from '../../system/processes/process-table.ts'

/** What a command is started with. */
export interface CommandSpec {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly workingFolder: string
  /** The run's id, which the environment carries too. */
  readonly runId: string
  /**
   * Whether a person sits at its standard input. A group of its own cannot read the terminal then, so that it stays in
   * ours, and the terminal's signals (^C, ^Z, a new window size) reach it without us.
   */
  readonly isInteractive: boolean
  /** Which output is passed through a pipe, so that `onOutput` hears of it. What is not, the command writes where we do. */
  readonly watched: { readonly stdout: boolean; readonly stderr: boolean }
  readonly onOutput: () => void
}

/** How a command ended. */
export interface CommandEnd {
  /** `null` if a signal ended it, or it could not be started. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Why it could not be started. */
  readonly error: NodeJS.ErrnoException | null
}

/** A command that runs, with everything that it starts. */
export interface RunningCommand {
  readonly pid: number | null
  /** Resolves when the command itself has ended; what it left behind may go on. Never rejects. */
  readonly ended: Promise<CommandEnd>
  /** Passes a signal on to the command, and to its group where it has one. Never throws. */
  signal(signal: NodeJS.Signals): void
  /** Its processes that are still there. */
  processes(): readonly ProcessEntry[]
  /** Ends the whole tree within the grace; resolves with those that even SIGKILL did not end. */
  end(graceMs: number, from?: 'SIGINT' | 'SIGTERM'): Promise<readonly ProcessEntry[]>
}

/** Starts a command so that it can be ended with all that it starts. */
export function startCommand(spec: CommandSpec, table: ProcessTable, clock: Clock): RunningCommand {
  const leadsGroup = !spec.isInteractive && process.platform !== 'win32'
  const child = spawnOr(spec, leadsGroup)
  if (child instanceof Error) return neverStarted(child)
  const pid = child.pid ?? null
  const ended = endOfChild(child, passOutput(child, spec.onOutput))
  // A run that goes on is only started again when nothing of it was left, so that it begins here, too.
  const run = { runId: spec.runId, leadsGroup, ownPid: process.pid, beganWithUs: true }
  const find = pid === null ? () => [] : createRunFinder(table, { pid, ...run })
  const send = (entry: ProcessEntry, signal: NodeJS.Signals): void => {
    // Looked at again right before: since it was found, the pid may have become another's.
    const now = table.look(entry.pid)
    if (now !== null && identityOf(now) === identityOf(entry)) kill(entry.pid, signal)
  }
  return {
    pid,
    ended,
    signal(signal) {
      if (pid === null || hasEnded(child)) return
      kill(leadsGroup ? -pid : pid, signal)
    },
    processes: find,
    end: (graceMs, from = 'SIGINT') => endProcesses({ find, send, clock, graceMs, from }),
  }
}

/** Some reasons are thrown (the arguments are too long, a part of the path is no folder), others told later. */
function spawnOr(spec: CommandSpec, leadsGroup: boolean): ChildProcess | NodeJS.ErrnoException {
  try {
    return spawn(spec.command, [...spec.args], optionsOf(spec, leadsGroup))
  } catch (error) {
    return error as NodeJS.ErrnoException
  }
}

function neverStarted(error: NodeJS.ErrnoException): RunningCommand {
  return {
    pid: null,
    ended: Promise.resolve({ code: null, signal: null, error }),
    signal() {},
    processes: () => [],
    end: async () => [],
  }
}

function optionsOf({ env, workingFolder, watched }: CommandSpec, detached: boolean): SpawnOptions {
  const way = (isWatched: boolean) => (isWatched ? 'pipe' : 'inherit')
  return { cwd: workingFolder, env: { ...env }, stdio: ['inherit', way(watched.stdout), way(watched.stderr)], detached }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function endOfChild(child: ChildProcess, passed: Promise<void>): Promise<CommandEnd> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      // A signal that could not be sent is told as an error, too, and ends nothing.
      if (child.pid === undefined) resolve({ code: null, signal: null, error })
    })
    child.once('exit', (code, signal) => void passed.then(() => resolve({ code, signal, error: null })))
  })
}

// What the command wrote before it ended is still in the pipe; what it left behind may keep the pipe open for ever.
const LAST_OUTPUT_MS = 500

/** Passes output on as it comes, no faster than it is read. Resolves when the last of it has been passed on. */
function passOutput(child: ChildProcess, onOutput: () => void): Promise<void> {
  const pairs = [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const
  const ends = pairs.map(([from, to]) => {
    if (from === null) return Promise.resolve()
    from.on('data', onOutput)
    from.pipe(to, { end: false })
    // Nobody reads any more: the command is told so as it would be without us.
    to.once('error', () => void from.destroy())
    return new Promise<void>((resolve) => void from.once('close', resolve))
  })
  const late = new Promise<void>((resolve) => {
    child.once('exit', () => void setTimeout(resolve, LAST_OUTPUT_MS).unref())
  })
  return Promise.race([Promise.all(ends).then(() => undefined), late]).then(() => {
    // Whoever keeps the other end must not keep us.
    for (const [from] of pairs) from?.destroy()
  })
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile, which is what was wanted.
  }
}
