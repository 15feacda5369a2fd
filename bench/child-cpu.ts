import { spawnSync } from 'node:child_process'

/**
 * CPU milliseconds (user and system) that a program takes with all that it waits for, per run. Node cannot see what a
 * child took, and the clock of /proc is too coarse for one run; `time` of bash asks the kernel for the sum over the
 * group (getrusage), which it keeps to the microsecond and prints to the millisecond. A few runs in a row make that fine
 * enough. What bash itself takes to start them (half a millisecond each) is in every figure alike.
 */
export function childCpuMs(
  command: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): number {
  const script = `TIMEFORMAT='%3U %3S'; time { for run in {1..${RUNS}}; do "$@" </dev/null >/dev/null 2>&1 || exit 1; done; }`
  const { error, status, stderr } = spawnSync('bash', ['-c', script, 'bash', ...command], {
    ...options,
    encoding: 'utf8',
  })
  if (error !== undefined)
    throw new Error(`bash, whose \`time\` is used to measure, could not be started: ${error.message}`)
  if (status !== 0) throw new Error(`${command.join(' ')} failed: run it by itself to see why.`)
  const [user, system] = stderr.trim().split(' ').map(Number)
  return ((user! + system!) * 1_000) / RUNS
}

const RUNS = 3
