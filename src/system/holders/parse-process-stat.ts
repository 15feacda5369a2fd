import type { ProcessSighting } from './processes.ts'

// Counted after the name: the state is field 3 of the line and the start time field 22.
const STATE = 0
const START_TICKS = 19
// Zombie and dead.
const ENDED = ['Z', 'X', 'x']

/** Reads a line of `/proc/PID/stat`. The name in it is the program's own choice and may contain spaces and brackets. */
export function parseProcessStat(line: string): ProcessSighting {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  const state = fields[STATE] ?? ''
  const start = fields[START_TICKS] ?? ''
  if (!/^[A-Za-z]$/.test(state) || !/^\d+$/.test(start)) return { kind: 'hidden' }
  return ENDED.includes(state) ? { kind: 'gone' } : { kind: 'running', start }
}
