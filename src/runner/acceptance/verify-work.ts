import { stripVTControlCharacters } from 'node:util'
import type { VerifyCommand } from '../../agents/index.ts'
import { formatDuration } from '../../core/index.ts'
import { edgeOf } from '../../governor/edge.ts'
import type { Scope } from '../../governor/index.ts'
import { runCommand } from '../../system/processes/run-command.ts'
import { markRun, RUN_VARIABLE } from '../../system/processes/run-mark.ts'
import type { SavedRun } from '../run/record/saved-run.ts'
import type { RunLog } from '../run/run-log.ts'
import type { VerifyResult } from './acceptance-result.ts'

/** The environment of the commands. */
export interface VerifyPlace {
  readonly saved: SavedRun
  readonly scope: Scope
  readonly log: RunLog
  readonly env: Readonly<Record<string, string | undefined>>
  /** Variables with further keys, which are withheld from the commands. */
  readonly furtherKeys?: readonly string[] | undefined
}

const KEPT_BYTES = 8 * 1024
// A running command counts as activity, even if it prints nothing.
const TOUCH_EVERY_MS = 250

/**
 * Runs all commands of a contract one after the other, so that the agent gets all results at once. They take the run's
 * time, but are not tool calls. Rejects when the run must end: its deadline ends the command's whole process tree.
 */
export async function verifyWork(
  commands: readonly VerifyCommand[],
  place: VerifyPlace,
): Promise<readonly VerifyResult[]> {
  const touches = setInterval(() => edgeOf(place.scope).touch(), TOUCH_EVERY_MS)
  try {
    const results: VerifyResult[] = []
    for (const command of commands) results.push(await runOne(command, place))
    return results
  } finally {
    clearInterval(touches)
  }
}

async function runOne(
  { id, command, timeoutMs, allowFailure }: VerifyCommand,
  { saved, scope, log, env, furtherKeys = [] }: VerifyPlace,
): Promise<VerifyResult> {
  log.report({ kind: 'checking', message: `verify ${id}: ${command}` })
  const startedMs = performance.now()
  const { exit, signal, error, timedOut, output, omittedBytes } = await runCommand({
    command,
    cwd: saved.workingFolder,
    // Marked as part of the run, so that processes left by a killed process are ended when the run is resumed.
    env: { ...env, [RUN_VARIABLE]: markRun(env[RUN_VARIABLE], saved.id) },
    keyVariables: furtherKeys,
    timeoutMs,
    maxOutputBytes: KEPT_BYTES,
    signal: scope.signal,
  })
  const durationMs = Math.round(performance.now() - startedMs)
  const status = timedOut ? 'timed-out' : exit === 0 ? 'passed' : 'failed'
  const cut = omittedBytes === 0 ? '' : `[… ${omittedBytes} bytes before this are not shown …]\n`
  const reason = error === null ? '' : `It could not be started: ${error.message}\n`
  const ended = signal === null || timedOut ? '' : `It was ended by ${signal}.\n`
  const shown = `${reason}${ended}${cut}${stripVTControlCharacters(output)}`.trimEnd()
  log.report({ kind: 'checking', message: `verify ${id}: ${outcomeText(status, exit, timeoutMs)}` })
  return { id, command, status, allowFailure, exitCode: exit, durationMs, output: shown }
}

function outcomeText(status: VerifyResult['status'], exit: number | null, timeoutMs: number): string {
  if (status === 'timed-out') return `timed out after ${formatDuration(timeoutMs)}`
  return exit === null || exit === 0 ? status : `${status} (exit code ${exit})`
}

/** The failed commands, for the agent. */
export function verifyProblems(
  results: readonly VerifyResult[],
  commands: readonly VerifyCommand[],
): readonly string[] {
  return results.flatMap(({ id, command, status, allowFailure, exitCode, output }, place) => {
    if (status === 'passed' || allowFailure) return []
    const outcome = outcomeText(status, exitCode, commands[place]!.timeoutMs)
    return [`verify ${id} ${outcome}: ${command}\n${output === '' ? '(no output)' : output}`]
  })
}
