import { type ErrorCode, isStintError } from '../../core/index.ts'
import { EXIT } from '../exit-code.ts'
import type { Platform } from '../platform.ts'
import { errorJson, errorText } from './error-text.ts'

// The request does not fit the current state.
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

// Something named does not exist or cannot be used: nothing was started.
const BAD_USAGE: readonly ErrorCode[] = [
  'missing_key',
  'unknown_agent',
  'unknown_chain',
  'unknown_model',
  'unpriced_model',
  'worktree_unusable',
]

/** Prints the error that ended a command. Returns the exit code. */
export function complain(platform: Platform, error: unknown, isJson: boolean): number {
  platform.writeError(`${isJson ? errorJson(error) : errorText(error)}\n`)
  if (platform.env.STINT_DEBUG === '1' && error instanceof Error) platform.writeError(`${error.stack}\n`)
  return exitCodeOf(error)
}

function exitCodeOf(error: unknown): number {
  if (!isStintError(error)) return EXIT.stintFailed
  if (error.code.startsWith('invalid_') || BAD_USAGE.includes(error.code)) return EXIT.badUsage
  return NOT_WELL.includes(error.code) ? EXIT.notWell : EXIT.stintFailed
}
