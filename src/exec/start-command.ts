import type { ChildProcess } from 'node:child_process'
import type { Clock } from '../core/index.ts'
import type { ProcessTable } from '../system/processes/process-table.ts'
import { type Program, type ProgramEnd, type ProgramSpec, startProgram } from '../system/processes/start-program.ts'

/** How to start a command. */
export interface CommandSpec extends Pick<ProgramSpec, 'command' | 'args' | 'env' | 'workingFolder' | 'runId'> {
  /**
   * Whether its standard input is a terminal. Its own process group could not read that, so the command stays in ours,
   * and the terminal's signals (^C, ^Z, a new window size) reach it without us.
   */
  readonly isInteractive: boolean
  /** Which output goes through a pipe, so that `onOutput` is called. The rest is inherited. */
  readonly watched: { readonly stdout: boolean; readonly stderr: boolean }
  readonly onOutput: () => void
}

/** How a command ended. */
export type CommandEnd = ProgramEnd

/** A running command, with every process that it starts. */
export type RunningCommand = Omit<Program, 'child' | 'error'>

/** Starts a command at our terminal, with our input and output. */
export function startCommand(spec: CommandSpec, table: ProcessTable, clock: Clock): RunningCommand {
  const { isInteractive, watched, onOutput, ...program } = spec
  const way = (isWatched: boolean) => (isWatched ? 'pipe' : 'inherit')
  const {
    child,
    error: _,
    ...running
  } = startProgram(
    {
      ...program,
      stdio: ['inherit', way(watched.stdout), way(watched.stderr)],
      leadsGroup: !isInteractive,
      // A run is only resumed when none of its processes is left, so all of them start with this one.
      beganWithUs: true,
    },
    table,
    clock,
  )
  if (child === null || child.pid === undefined) return running
  const passed = passOutput(child, onOutput)
  return { ...running, ended: running.ended.then((end) => passed.then(() => end)) }
}

// The last output may still be in the pipe, and processes that outlive the command may keep the pipe open forever.
const LAST_OUTPUT_MS = 500

/** Forwards output, with backpressure. Resolves when all of it has been forwarded. */
function passOutput(child: ChildProcess, onOutput: () => void): Promise<void> {
  const pairs = [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const
  const ends = pairs.map(([from, to]) => {
    if (from === null) return Promise.resolve()
    from.on('data', onOutput)
    from.pipe(to, { end: false })
    // Our reader is gone: closing the pipe tells the command, as if it wrote there directly.
    to.once('error', () => void from.destroy())
    return new Promise<void>((resolve) => void from.once('close', resolve))
  })
  const late = new Promise<void>((resolve) => {
    child.once('exit', () => void setTimeout(resolve, LAST_OUTPUT_MS).unref())
  })
  return Promise.race([Promise.all(ends).then(() => undefined), late]).then(() => {
    // A process that holds the other end must not keep us running.
    for (const [from] of pairs) from?.destroy()
  })
}
