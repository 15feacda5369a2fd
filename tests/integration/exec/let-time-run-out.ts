import { expect } from 'vitest'
import type { ExecMachine } from './start-exec.ts'

/**Lets a run's time run out, once the test is ready. With a short time from the start, a busy machine could exceed it before the command has started.
 * Takes a run's time away, once everything is as the test wants it. With a short time from the start, a busy machine
 * could be over it before the command has begun.
 */
export async function letTimeRunOut(machine: ExecMachine, name: string): Promise<void> {
  const { exitCode, stderr } = await machine.start(['raise', name, '--limit', 'wall=1ms']).ended
  expect(exitCode, stderr).toBe(0)
}
