import { printable } from '../../core/checks/printable.ts'

/** That there is nothing to learn from. `null`: from the runs of every agent. */
export function noRunsText(agent: string | null, since: string): string {
  const what = agent === null ? 'No run' : `No run of ${printable(agent)}`
  return `${what} has ended in the last ${printable(since)}. To look further back: --since`
}
