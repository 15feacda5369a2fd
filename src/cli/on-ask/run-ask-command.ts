import { type CommandSpec, runCommand } from '../../system/processes/run-command.ts'

/** Runs the `onAsk` command to its end. Returns why it failed, or `null`. Never throws. */
export async function runAskCommand(spec: Omit<CommandSpec, 'maxOutputBytes' | 'signal'>): Promise<string | null> {
  const { exit, signal, error, timedOut } = await runCommand({ ...spec, maxOutputBytes: 0 })
  if (error !== null) return error.message
  if (timedOut) return `it took longer than ${spec.timeoutMs / 1000} seconds`
  return exit === 0 ? null : `it ended with ${exit ?? signal}`
}
