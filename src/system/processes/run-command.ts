import { randomUUID } from 'node:crypto'
import { createSystemClock } from '../system-clock.ts'
import { createProcessTable } from './create-process-table.ts'
import { environmentWithoutKeys } from './environment-without-keys.ts'
import { markRun, RUN_VARIABLE } from './run-mark.ts'
import { startProgram } from './start-program.ts'
import { watchProgram } from './watch-program.ts'

/** A command to run until it ends, keeping its output. */
export interface CommandSpec {
  /** A text for the shell, or a program with its arguments. */
  readonly command: string | readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Variables of `env` with further provider keys. All keys are withheld from the command; `null`: none is. */
  readonly keyVariables?: readonly string[] | null
  /** What it reads from standard input. Default: nothing. */
  readonly input?: string
  readonly timeoutMs: number
  /** How much of its output is kept: the end, which usually shows the result. */
  readonly maxOutputBytes: number
  /** Ends it with its whole tree; `runCommand` then rejects with the reason. */
  readonly signal?: AbortSignal
}

export interface CommandResult {
  /** Its exit code; `null` if a signal ended it, or it could not be started. */
  readonly exit: number | null
  readonly signal: NodeJS.Signals | null
  /** Why it could not be started. */
  readonly error: Error | null
  /** The end of both outputs, in the order in which they arrived. */
  readonly output: string
  /** How many bytes came before that. */
  readonly omittedBytes: number
  /** It was ended because its time ran out. */
  readonly timedOut: boolean
}

const GRACE_MS = 2_000

/** Runs a command until it ends, in its own process group. Processes that it leaves running are ended too. */
export async function runCommand(spec: CommandSpec): Promise<CommandResult> {
  const { cwd, timeoutMs, maxOutputBytes, signal, keyVariables = [] } = spec
  signal?.throwIfAborted()
  const runId = randomUUID()
  const env = keyVariables === null ? spec.env : environmentWithoutKeys(spec.env, keyVariables)
  const [command = '', ...args] = typeof spec.command === 'string' ? ['/bin/sh', '-c', spec.command] : spec.command
  const program = startProgram(
    {
      command,
      args,
      env: { ...env, [RUN_VARIABLE]: markRun(env[RUN_VARIABLE], runId) },
      workingFolder: cwd,
      stdio: [spec.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      runId,
      leadsGroup: true,
      beganWithUs: true,
    },
    createProcessTable(),
    createSystemClock(),
  )
  // The command need not read its input.
  program.child?.stdin?.on('error', () => {})
  program.child?.stdin?.end(spec.input)
  const output = keepEnd(maxOutputBytes)
  const watched = await watchProgram(program, { timeoutMs, graceMs: GRACE_MS, signal, onOutput: output.add })
  if (watched.left.length > 0) await program.end(GRACE_MS, 'SIGTERM')
  const { code: exit, error, timedOut } = watched
  return { exit, signal: watched.signal, error, timedOut, ...output.kept() }
}

/** Keeps the last bytes, using at most twice the space. */
function keepEnd(maxBytes: number) {
  let kept = Buffer.alloc(0)
  let total = 0
  return {
    add(chunk: Buffer): void {
      total += chunk.length
      kept = Buffer.concat([kept, chunk])
      if (kept.length > maxBytes) kept = Buffer.from(kept.subarray(kept.length - maxBytes))
    },
    kept: () => ({ output: new TextDecoder().decode(kept), omittedBytes: total - kept.length }),
  }
}
