import type { GovernedRun } from '../runs/governed-run.ts'
import type { CommandEnd } from '../start-command.ts'
import type { SupervisedEnd } from './supervise-command.ts'

const CALLED_OFF = 'ECANCELED'

/** The end of a run whose command was not started, because a signal came first. */
export async function callOff(run: GovernedRun): Promise<SupervisedEnd> {
  const error = Object.assign(new Error('Stint was asked to end first'), { code: CALLED_OFF })
  const end: CommandEnd = { code: null, signal: null, error }
  return { end, state: await run.look(), cause: 'signal', signal: null, left: [] }
}

/** Whether a command was not started because a signal came first. */
export function isCalledOff({ error }: CommandEnd): boolean {
  return error?.code === CALLED_OFF
}
