import { CommanderError } from 'commander'
import { type ErrorCode, isStintError } from '../core/index.ts'

/** How a command ends; docs/reference/cli.md explains each. */
export const EXIT = { done: 0, notWell: 1, badUsage: 2, stintFailed: 125 } as const

// What was asked for cannot be done to what is there.
const NOT_WELL: readonly ErrorCode[] = [
  'agent_changed',
  'agent_exists',
  'agent_not_editable',
  'ambiguous_id',
  'inside_run',
  'limit_exceeded',
  'not_paused',
  'reservation_conflict',
  'scope_closed',
  'scope_paused',
  'unknown_key',
  'unknown_request',
  'unknown_reservation',
  'unknown_scope',
  'unknown_task',
]

// What was named is not there, or cannot be used as things are: nothing was begun.
const BAD_USAGE: readonly ErrorCode[] = ['missing_key', 'unknown_agent', 'unknown_model', 'unpriced_model']

/** The exit code for an error that ended a command. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.badUsage
  if (!isStintError(error)) return EXIT.stintFailed
  if (error.code.startsWith('invalid_') || BAD_USAGE.includes(error.code)) return EXIT.badUsage
  return NOT_WELL.includes(error.code) ? EXIT.notWell : EXIT.stintFailed
}
