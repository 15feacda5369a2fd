import type { ProcessSighting } from './processes.ts'

// Counted after the name: the state is field 3 of the line and the start time field 22.
const STATE = 0
const START_TICKS = 19
// Zombie and dead.
const ENDED = ['Z', 'X', 'x']

/** The fields of a line of `/proc/PID/stat` after the name, which may contain spaces and brackets. */
export function statFields(line: string): readonly string[] {
  return line.slice(line.lastIndexOf(')') + 2).split(' ')
}

/** Reads a line of `/proc/PID/stat`. */
export function parseProcessStat(line: string): ProcessSighting {
  const fields = statFields(line)
  const state = fields[STATE] ?? ''
  const start = fields[START_TICKS] ?? ''
  if (!/^[A-Za-z]$/.test(state) || !/^\d+$/.test(start)) return { kind: 'hidden' }
  return ENDED.includes(state) ? { kind: 'gone' } : { kind: 'running', start }
}
