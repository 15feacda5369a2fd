import { spawnSync } from 'node:child_process'

export interface ProgramResult {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

const TIMEOUT_MS = 150_000

/** Runs a program to its end and returns its output. Throws only if it could not be started or hung. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): ProgramResult {
  const result = spawnSync(command, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (result.error !== undefined) throw new Error(`${command} ${args.join(' ')}: ${result.error.message}`)
  return { status: result.status, stdout: result.stdout, stderr: result.stderr }
}

/** The same for a program that must succeed: its output, or an error with all of its output. */
export function runProgramOrThrow(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): string {
  const { status, stdout, stderr } = runProgram(command, args, options)
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stdout}\n${stderr}`)
  return stdout
}
